/**
 * Rules that bind the service and are not proved yet, each with the reason. The list may only shrink: an entry whose
 * rule has a check and a mutant by now is an error, and so is a rule that lacks one of them and does not stand here.
 */
export const notYetProved: Readonly<
  Record<string, { readonly lacks: 'check' | 'mutant' | 'both'; readonly because: string }>
> = {
  'auth.xades.certificate-check-delay': {
    lacks: 'mutant',
    because: 'what a service MAY do is observed and never failed, so no defect can be caught by it',
  },
  'receipts.independent': {
    lacks: 'mutant',
    because: 'what a service MAY do is observed and never failed, so no defect can be caught by it',
  },
}
