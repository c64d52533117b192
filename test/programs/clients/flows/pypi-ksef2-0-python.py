"""The flow of ksef2-0-python, whose address of the test environment is a field of its class."""

import io
import zipfile

from ksef.sdk.ksefsdk import KSEFSDK

from steps import expect_equal, invoices, nip, origin, run, token

KSEFSDK._env_dict[KSEFSDK.DEVKSEF] = origin
state = {}


def login():
    state["sdk"] = KSEFSDK.initsdk(KSEFSDK.DEVKSEF, nip, token)


def interactive():
    sdk = state["sdk"]
    sdk.start_session()
    ok, description, _ = sdk.send_invoice(invoices[0].decode("utf-8"))
    expect_equal(ok, True, description)
    sdk.pobierz_upo()
    sdk.close_session()


def batch():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.xml", invoices[1])
    ok, description, _ = state["sdk"].send_batch_session_bytes(iter([archive.getvalue()]))
    expect_equal(ok, True, description)


run(
    {
        "login by token": login,
        "invoice": interactive,
        "batch": batch,
        "tokens": lambda: state["sdk"].get_list_of_tokens(),
    }
)
