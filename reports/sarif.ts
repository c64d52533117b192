/** Remarks about files as SARIF 2.1.0, which code hosts and editors show beside the file. */

export interface SarifResult {
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly message: string
  /** Path or URL of the file. */
  readonly file: string
  /** From 1; absent where the file as a whole is meant. */
  readonly line?: number
  readonly column?: number
  /** Name of the place, such as `Faktura/Fa/P_15`. */
  readonly place?: { readonly name: string; readonly kind: string }
  /** How often it occurs; the place is that of the first. Absent: once. */
  readonly occurrences?: number
  /** Why it does not count here. */
  readonly suppressed?: string
}

export interface SarifLog {
  readonly tool: string
  readonly version: string
  /** What to do about each rule, by its id. */
  readonly help: ReadonlyMap<string, string>
  readonly results: readonly SarifResult[]
}

const resultOf = (result: SarifResult): object => ({
  ruleId: result.rule,
  level: result.level,
  message: { text: result.message },
  ...(result.occurrences !== undefined && { occurrenceCount: result.occurrences }),
  ...(result.suppressed !== undefined && {
    suppressions: [{ kind: 'external', justification: result.suppressed }],
  }),
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: encodeURI(result.file) },
        ...(result.line !== undefined && {
          region: { startLine: result.line, ...(result.column && { startColumn: result.column }) },
        }),
      },
      ...(result.place && {
        logicalLocations: [{ fullyQualifiedName: result.place.name, kind: result.place.kind }],
      }),
    },
  ],
})

export const sarif = ({ tool, version, help, results }: SarifLog): object => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: tool,
          version,
          rules: Array.from(help, ([id, text]) => ({ id, help: { text } })),
        },
      },
      results: results.map(resultOf),
    },
  ],
})
