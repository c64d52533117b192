"""Signs FOLDER/request.xml with signxml, as Python clients do, one file a way: FOLDER/out/signxml-WAY.xml.

Keys and certificates are PEM: FOLDER/rsa.key.pem, rsa.crt.pem, p256.key.pem, p256.crt.pem.
"""

import sys
from pathlib import Path

from lxml import etree
from signxml import CanonicalizationMethod, DigestAlgorithm, SignatureMethod
from signxml.xades import XAdESSigner

folder = Path(sys.argv[1])
request = (folder / "request.xml").read_bytes()
ways = {
    "default-rsa": ("rsa", SignatureMethod.RSA_SHA256, DigestAlgorithm.SHA256, {}),
    "default-p256": ("p256", SignatureMethod.ECDSA_SHA256, DigestAlgorithm.SHA256, {}),
    "sha512": ("rsa", SignatureMethod.RSA_SHA512, DigestAlgorithm.SHA512, {}),
    "sha3": ("p256", SignatureMethod.ECDSA_SHA3_256, DigestAlgorithm.SHA3_256, {}),
    "pss": ("rsa", SignatureMethod.SHA256_RSA_MGF1, DigestAlgorithm.SHA256, {}),
}
# Of the others it writes digests that xmlsec1 does not verify either: comments are no part of a reference to the
# document, and its exclusive form of the signed properties keeps declarations that nothing in them uses.
for method in (CanonicalizationMethod.CANONICAL_XML_1_0, CanonicalizationMethod.CANONICAL_XML_1_1):
    ways[f"c14n-{method.name.lower()}"] = (
        "rsa",
        SignatureMethod.RSA_SHA256,
        DigestAlgorithm.SHA256,
        {"c14n_algorithm": method},
    )

(folder / "out").mkdir(exist_ok=True)
for name, (key, method, digest, more) in ways.items():
    signed = XAdESSigner(signature_algorithm=method, digest_algorithm=digest, **more).sign(
        etree.fromstring(request),
        key=(folder / f"{key}.key.pem").read_bytes(),
        cert=(folder / f"{key}.crt.pem").read_text(),
    )
    (folder / "out" / f"signxml-{name}.xml").write_bytes(etree.tostring(signed))
