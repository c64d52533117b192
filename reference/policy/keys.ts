/** Decisions about the keys that the service publishes. */
export const keysPolicy = {
  // keys.rotation.served: the new key is listed and works; a withdrawn key is not listed and does not work
  keyLive: (
    validFrom: number,
    validTo: number,
    withdrawnFrom: number | undefined,
    at: number,
  ): boolean =>
    validFrom <= at && at < validTo && (withdrawnFrom === undefined || at < withdrawnFrom),
  // keys.list.production-calendar: none before the environment offers them
  keysListedFrom: (first: number, at: number): boolean => at >= first,
  // auth.token.wrong-encryption-refused, sessions.online.bad-key-refused: RSAES-OAEP with SHA-256 only
  oaepHashAccepted: (hash: 'sha256' | 'sha1'): boolean => hash === 'sha256',
}
