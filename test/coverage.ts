/** Refusals that no check provokes, with the reason. An entry that is no longer needed is an error. */
export const notProvoked: Readonly<Record<string, string>> = {
  'invoice-not-yet-stored': 'a client cannot delay the storage of an invoice',
}
