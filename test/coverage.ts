/** Rules that bind the service and have no mutant, with the reason. An entry that is no longer needed is an error. */
export const notYetProved: Readonly<Record<string, string>> = {
  'auth.xades.certificate-check-delay':
    'a MAY is observed and never failed: no defect can break it',
  'receipts.independent': 'a MAY is observed and never failed: no defect can break it',
}

/** Refusals that no check provokes, with the reason. An entry that is no longer needed is an error. */
export const notProvoked: Readonly<Record<string, string>> = {
  'invoice-not-yet-stored': 'a client cannot delay the storage of an invoice',
}
