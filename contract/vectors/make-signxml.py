"""Makes signed-by-signxml*.xml: requests signed by signxml (`pip install signxml`), as many Python clients sign.

It signs its key info as well, with a third reference. The one that ends in -bes has neither signing time nor digest of
the certificate among its signed properties, as XAdES-BES allows. Run it in this folder; the key is thrown away.
"""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID, ObjectIdentifier
from lxml import etree
from signxml import DigestAlgorithm, SignatureMethod
from signxml.xades import XAdESSigner

REQUEST = (
    '<AuthTokenRequest xmlns="http://ksef.mf.gov.pl/auth/token/2.1">'
    "<Challenge>20260615-CR-20F5EE4000-DA48AE4124-46</Challenge>"
    "<ContextIdentifier><Nip>5265877635</Nip></ContextIdentifier>"
    "<SubjectIdentifierType>certificateSubject</SubjectIdentifierType>"
    "</AuthTokenRequest>"
)

key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name(
    [
        x509.NameAttribute(NameOID.COUNTRY_NAME, "PL"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Vector"),
        x509.NameAttribute(NameOID.COMMON_NAME, "Seal 5265877635"),
        x509.NameAttribute(ObjectIdentifier("2.5.4.97"), "VATPL-5265877635"),
    ]
)
start = datetime.datetime(2026, 1, 1)
certificate = (
    x509.CertificateBuilder()
    .subject_name(name)
    .issuer_name(name)
    .public_key(key.public_key())
    .serial_number(0x1234567890)
    .not_valid_before(start)
    .not_valid_after(start + datetime.timedelta(days=7300))
    .sign(key, hashes.SHA256())
)


def sign(file: str, bare: bool) -> None:
    signer = XAdESSigner(
        signature_algorithm=SignatureMethod.ECDSA_SHA256, digest_algorithm=DigestAlgorithm.SHA256
    )
    if bare:
        signer.signed_signature_properties_annotators.clear()
    signed = signer.sign(
        etree.fromstring(REQUEST),
        key=key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        cert=certificate.public_bytes(Encoding.PEM).decode(),
        always_add_key_value=True,
    )
    with open(file, "wb") as out:
        out.write(etree.tostring(signed) + b"\n")


sign("signed-by-signxml.xml", bare=False)
sign("signed-by-signxml-bes.xml", bare=True)
