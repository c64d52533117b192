/** What a request for an export asks for, as its mutants read it. */
export interface Asked {
  readonly subjectType: string
  readonly dateRange: { readonly dateType: string; readonly to?: string | null }
}
