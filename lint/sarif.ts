import type { LintFinding } from './finding.ts'

/** Findings as SARIF 2.1.0, which code hosts and editors show beside the file. */

export interface LintedDocument {
  readonly file: string
  readonly findings: readonly LintFinding[]
}

export const sarif = (documents: readonly LintedDocument[], version: string): object => {
  const findings = documents.flatMap(({ file, findings: own }) =>
    own.map((each) => ({ file, ...each })),
  )
  const rules = new Map(findings.map(({ rule, advice }) => [rule, advice]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'assay lint',
            version,
            rules: Array.from(rules, ([id, advice]) => ({ id, help: { text: advice } })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          level: finding.severity,
          message: { text: finding.message },
          ...(finding.occurrences !== undefined && { occurrenceCount: finding.occurrences }),
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(finding.file) },
                region: { startLine: finding.line, startColumn: finding.column },
              },
              ...(finding.path && {
                logicalLocations: [{ fullyQualifiedName: finding.path, kind: 'element' }],
              }),
            },
          ],
        })),
      },
    ],
  }
}
