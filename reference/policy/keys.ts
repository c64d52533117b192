/** Decisions about the keys that the service publishes. */
export const keysPolicy = {
  // keys.rotation.served: the new key is listed and works; a withdrawn one is neither
  keyLive: (
    validFrom: number,
    validTo: number,
    withdrawnFrom: number | undefined,
    at: number,
  ): boolean =>
    validFrom <= at && at < validTo && (withdrawnFrom === undefined || at < withdrawnFrom),
  // keys.list.production-calendar: none before the environment offers them
  keysListedFrom: (first: number, at: number): boolean => at >= first,
  // keys.list.usages
  keyUsages: (usages: readonly string[]): readonly string[] => usages,
  // keys.list.certificates-parse: the SHA-256 of the certificate
  shownCertificateId: (certificateId: string): string => certificateId,
  // keys.list.certificates-parse: the dates of the entry are those of the certificate
  keyDates: (validFrom: number, validTo: number): { validFrom: number; validTo: number } => ({
    validFrom,
    validTo,
  }),
  // auth.token.wrong-encryption-refused, sessions.online.bad-key-refused: RSAES-OAEP with SHA-256 alone
  oaepHashes: (): readonly ('sha256' | 'sha1')[] => ['sha256'],
}
