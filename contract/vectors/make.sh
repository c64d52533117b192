#!/bin/sh
# Makes crypto.json and signed-by-xmlsec1.xml: known answers of openssl and xmlsec1, so that neither the tester's
# cryptography nor the reference's has to be believed. Run it in this folder; the keys are for tests only.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
b64() { openssl base64 -A; }
hex() { od -An -v -tx1 | tr -d ' \n'; }

key=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
iv=a0a1a2a3a4a5a6a7a8a9aaabacadaeaf
printf '<Faktura>Zażółć gęślą jaźń</Faktura>' > "$work/plain"
printf '0123456789abcdef' > "$work/block"
for name in plain block; do
  openssl enc -aes-256-cbc -K $key -iv $iv -in "$work/$name" -out "$work/$name.enc"
done

openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/rsa.key" 2>/dev/null
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$work/ec.key" 2>/dev/null
subject='/C=PL/O=Vector/CN=Seal 5265877635/2.5.4.97=VATPL-5265877635'
for name in rsa ec; do
  openssl req -new -x509 -key "$work/$name.key" -sha256 -days 7300 -set_serial 0x1234567890 \
    -subj "$subject" -addext 'keyUsage=critical,digitalSignature,nonRepudiation' -out "$work/$name.pem"
  openssl pkey -in "$work/$name.key" -pubout -outform DER -out "$work/$name.spki"
  openssl x509 -in "$work/$name.pem" -outform DER -out "$work/$name.der"
done

printf '%s' "$key" | xxd -r -p > "$work/aes.key"
openssl pkeyutl -encrypt -pubin -inkey "$work/rsa.spki" -keyform DER -in "$work/aes.key" \
  -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256 -pkeyopt rsa_mgf1_md:sha256 \
  -out "$work/aes.key.enc"

certificate=$(openssl x509 -in "$work/rsa.pem" -outform DER | b64)
cat > "$work/template.xml" <<XML
<AuthTokenRequest xmlns="http://ksef.mf.gov.pl/auth/token/2.1"><Challenge>20260615-CR-20F5EE4000-DA48AE4124-46</Challenge><ContextIdentifier><Nip>5265877635</Nip></ContextIdentifier><SubjectIdentifierType>certificateSubject</SubjectIdentifierType><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><ds:Reference URI=""><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/><ds:KeyInfo><ds:X509Data><ds:X509Certificate>$certificate</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature></AuthTokenRequest>
XML
xmlsec1 --sign --privkey-pem "$work/rsa.key" --output signed-by-xmlsec1.xml "$work/template.xml"

sha() { openssl dgst -sha256 -binary "$1" | b64; }
pem() { sed ':a;N;$!ba;s/\n/\\n/g' "$1"; }
cat > crypto.json <<JSON
{
  "madeWith": "$(openssl version | cut -d' ' -f1,2), $(xmlsec1 --version | cut -d' ' -f1,2), by make.sh",
  "aes256cbc": {
    "key": "$key",
    "iv": "$iv",
    "cases": [
      { "plain": "$(b64 < "$work/plain")", "encrypted": "$(b64 < "$work/plain.enc")" },
      { "plain": "$(b64 < "$work/block")", "encrypted": "$(b64 < "$work/block.enc")" }
    ]
  },
  "sha256": [
    { "of": "$(b64 < "$work/plain")", "digest": "$(sha "$work/plain")" },
    { "of": "", "digest": "$(printf '' | openssl dgst -sha256 -binary | b64)" }
  ],
  "rsaOaepSha256": {
    "privateKey": "$(pem "$work/rsa.key")\n",
    "publicKey": "$(b64 < "$work/rsa.spki")",
    "plain": "$(b64 < "$work/aes.key")",
    "encrypted": "$(b64 < "$work/aes.key.enc")"
  },
  "certificates": [
    {
      "pem": "$(pem "$work/rsa.pem")\n",
      "keyType": "rsa",
      "keyBits": 2048,
      "publicKey": "$(b64 < "$work/rsa.spki")",
      "publicKeyId": "$(sha "$work/rsa.spki")",
      "certificateId": "$(sha "$work/rsa.der")",
      "serial": "78187493520",
      "keyUsage": ["digitalSignature", "nonRepudiation"]
    },
    {
      "pem": "$(pem "$work/ec.pem")\n",
      "keyType": "ec",
      "keyBits": null,
      "publicKey": "$(b64 < "$work/ec.spki")",
      "publicKeyId": "$(sha "$work/ec.spki")",
      "certificateId": "$(sha "$work/ec.der")",
      "serial": "78187493520",
      "keyUsage": ["digitalSignature", "nonRepudiation"]
    }
  ]
}
JSON
