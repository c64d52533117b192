/** What `certify` is given where a test asks for nothing in particular. */
export const certifyArgs = {
  profile: 'smoke',
  dialect: undefined,
  namespace: undefined,
  strict: false,
  minVerified: undefined,
  lang: 'en',
  history: undefined,
  evidence: undefined,
  sign: undefined,
  subject: undefined,
} as const
