"""The flow of ksef-client of PyPI."""

import io
import zipfile

from ksef_client import KsefClient, KsefClientOptions, models
from ksef_client.services import workflows
from ksef_client.services.xades import XadesKeyPair

from steps import certificate, expect_equal, invoices, key, nip, origin, poll, run, token

# The links of the service have no TLS.
client = KsefClient(KsefClientOptions(base_url=origin, strict_presigned_url_validation=False))
auth = workflows.AuthCoordinator(client.auth)
context = {"context_identifier_type": "nip", "context_identifier_value": nip}
form_code = models.FormCode(system_code="FA (3)", schema_version="1-0E", value="FA")
access = {}


def key_of(usage):
    return client.security.get_public_key_certificate(usage)


def login_by_token():
    found = key_of("KsefTokenEncryption")
    login = auth.authenticate_with_ksef_token(
        token=token, public_certificate=found.certificate, poll_interval_seconds=0.1, **context
    )
    access["access_token"] = login.access_token


def login_by_certificate():
    pair = XadesKeyPair.from_pem_files(certificate_path=certificate, private_key_path=key)
    auth.authenticate_with_xades_key_pair(
        key_pair=pair,
        subject_identifier_type="certificateSubject",
        poll_interval_seconds=0.1,
        **context,
    )


def settled(reference):
    return poll(
        lambda: client.sessions.get_session_status(reference, **access),
        lambda found: found.status.code >= 200,
    )


def interactive():
    session = workflows.OnlineSessionWorkflow(client.sessions).open_session(
        form_code=form_code,
        public_certificate=key_of("SymmetricKeyEncryption").certificate,
        **access,
    )
    session.send_invoice(invoices[0])
    session.close()
    expect_equal(settled(session.reference_number).successful_invoice_count, 1, "accepted invoices")


def batch():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.xml", invoices[1])
    flow = workflows.BatchSessionWorkflow(client.sessions, client.http_client)
    reference = flow.open_upload_and_close(
        form_code=form_code,
        zip_bytes=archive.getvalue(),
        public_certificate=key_of("SymmetricKeyEncryption").certificate,
        **access,
    )
    expect_equal(settled(reference).successful_invoice_count, 1, "accepted invoices")


def limits():
    client.limits.get_context_limits(**access)
    client.rate_limits.get_rate_limits(**access)


run(
    {
        "login by token": login_by_token,
        "login by certificate": login_by_certificate,
        "invoice": interactive,
        "batch": batch,
        "limits": limits,
        "providers": lambda: client.peppol.list_providers(),
    }
)
