import { createVerify, sign } from 'node:crypto'
import type { BinaryLike, KeyLike } from 'node:crypto'

/**
 * ECDSA with SHA-256 for xml-crypto, which does not bring it: XML-DSig wants r and s side by side, not as DER
 * (RFC 6931). A class because that is how xml-crypto takes its algorithms.
 */
export class EcdsaSha256 {
  static readonly uri = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'

  getAlgorithmName(): string {
    return EcdsaSha256.uri
  }

  getSignature(signedInfo: BinaryLike, key: KeyLike): string {
    const bytes = typeof signedInfo === 'string' ? Buffer.from(signedInfo) : (signedInfo as Buffer)
    return sign('sha256', bytes, { key: key as string, dsaEncoding: 'ieee-p1363' }).toString(
      'base64',
    )
  }

  verifySignature(material: string, key: KeyLike, value: string): boolean {
    const verifier = createVerify('sha256')
    verifier.update(material)
    return verifier.verify({ key: key as string, dsaEncoding: 'ieee-p1363' }, value, 'base64')
  }
}
