"""The flow of pyksef, which logs in and does nothing else."""

from pathlib import Path

from cryptography.x509 import load_pem_x509_certificate

from pyksef.auth.identifier import ContextIdentifier, ContextIdentifierType
from pyksef.auth.local_key import PEMPrivateKey
from pyksef.auth.state import ksef_poll_auth_finalized
from pyksef.auth.xades_auth import ksef_auth_xades

from steps import certificate, key, nip, origin, run


def login():
    base = f"{origin}/v2"
    started = ksef_auth_xades(
        api_base_url=base,
        cert=load_pem_x509_certificate(Path(certificate).read_bytes()),
        key=PEMPrivateKey(Path(key).read_bytes(), None),
        context_id=ContextIdentifier(ContextIdentifierType.nip, nip),
    )
    reference = started["referenceNumber"]
    bearer = started["authenticationToken"]["token"]
    ksef_poll_auth_finalized(
        api_base_url=base, reference_number=reference, authentication_token=bearer
    )


run({"login by certificate": login})
