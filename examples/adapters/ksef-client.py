"""
Has the Python package ksef-client do a task, in the way its documentation shows and without repairs of our own: what
the library does about limits and faults is what the examination sees.
"""

import io
import json
import os
import time
import zipfile

from ksef_client import KsefClient, KsefClientOptions
from ksef_client.models import FormCode
from ksef_client.services.workflows import (
    AuthCoordinator,
    BatchSessionWorkflow,
    OnlineSessionWorkflow,
)

with open(os.environ["ASSAY_TASK"], encoding="utf-8") as file:
    task = json.load(file)
form = FormCode(system_code="FA (3)", schema_version="1-0E", value="FA")


def believes(**line):
    with open(os.environ["ASSAY_BELIEFS"], "a", encoding="utf-8") as beliefs:
        beliefs.write(json.dumps({k: v for k, v in line.items() if v is not None}) + "\n")


def content(document):
    with open(document["file"], "rb") as xml:
        return xml.read()


def settled(read):
    for _ in range(40):
        found = read()
        if found.status.code >= 200:
            return found
        time.sleep(1)
    raise TimeoutError("no outcome within 40 s")


def report(document, found):
    code = found.status.code
    original = (found.status.extensions or {}).get("originalKsefNumber") if code == 440 else None
    if code in (200, 440):
        believes(document=document["id"], outcome="accepted", number=original or found.ksef_number)
    else:
        believes(document=document["id"], outcome="rejected")


def fetch_receipt(client, session, reference, access):
    client.sessions.get_session_invoice_upo_by_ref(session, reference, access_token=access)


def issue_online(client, key, access):
    session = OnlineSessionWorkflow(client.sessions).open_session(
        form_code=form, public_certificate=key.certificate, access_token=access
    )
    sent = [
        (document, session.send_invoice(content(document)).reference_number)
        for document in task["issue"]
    ]
    name = session.reference_number
    outcomes = []
    for document, reference in sent:
        found = settled(
            lambda: client.sessions.get_session_invoice_status(name, reference, access_token=access)
        )
        report(document, found)
        outcomes.append((reference, found))
    session.close()
    for reference, found in outcomes:
        if found.status.code == 200:
            fetch_receipt(client, name, reference, access)


def issue_batch(client, key, access):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as package:
        for document in task["issue"]:
            package.writestr(document["id"] + ".xml", content(document))
    session = BatchSessionWorkflow(client.sessions, client.http_client).open_session(
        form_code=form,
        zip_bytes=archive.getvalue(),
        public_certificate=key.certificate,
        access_token=access,
    )
    session.upload_parts()
    session.close()
    name = session.reference_number
    settled(lambda: client.sessions.get_session_status(name, access_token=access))
    invoices = client.sessions.get_session_invoices(name, access_token=access).invoices
    for document in task["issue"]:
        found = next(one for one in invoices if one.invoice_number == document["number"])
        report(document, found)
        if found.status.code == 200:
            fetch_receipt(client, name, found.reference_number, access)


with KsefClient(
    KsefClientOptions(
        base_url=os.environ["ASSAY_URL"],
        strict_presigned_url_validation=False,
        allow_private_network_presigned_urls=True,
    )
) as client:
    token_key = client.security.get_public_key_certificate("KsefTokenEncryption")
    login = AuthCoordinator(client.auth).authenticate_with_ksef_token(
        token=task["token"],
        public_certificate=token_key.certificate,
        context_identifier_type="nip",
        context_identifier_value=task["context"]["value"],
    )
    access = login.access_token
    if task["issue"]:
        key = client.security.get_public_key_certificate("SymmetricKeyEncryption")
        (issue_batch if task["mode"] == "batch" else issue_online)(client, key, access)
