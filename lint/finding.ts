/** One remark about a document. */
export interface LintFinding {
  /** The service rejects a document with an `error`; a `warning` it accepts, as far as is documented. */
  readonly severity: 'error' | 'warning'
  /** Name of the check, such as `schema.unexpected` or `grand-total`. */
  readonly rule: string
  /** From 1. */
  readonly line: number
  readonly column: number
  /** Such as `Faktura/Fa/P_15`; empty where the document as a whole is meant. */
  readonly path: string
  readonly message: string
  readonly advice: string
  /** How often the same finding occurs; the place is that of the first. Absent: once. */
  readonly occurrences?: number
}

/** Places of one finding and findings of one document that are kept. */
const maxFindings = 500
const maxMessage = 400

/** Digits and quoted values aside, repeated findings have one message. */
const shapeOf = ({ severity, rule, path, message }: LintFinding) =>
  [
    severity,
    rule,
    path.replace(/\[\d+\]/g, '').replace(/@\D+\d+$/, '@'),
    message.replace(/"[^"]*"|\d+/g, '#'),
  ].join('\n')

/** The findings of a document: repeated ones together, no more than can be read, long values cut. */
export class Findings {
  readonly #kept = new Map<string, LintFinding & { occurrences: number }>()

  add(finding: LintFinding): void {
    const shape = shapeOf(finding)
    const known = this.#kept.get(shape)
    if (known) known.occurrences += 1
    else if (this.#kept.size < maxFindings) {
      const { message } = finding
      const short = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message
      this.#kept.set(shape, { ...finding, message: short, occurrences: 1 })
    }
  }

  /** Errors first hide warnings about the same element: a value that cannot be read cannot be compared either. */
  list(): LintFinding[] {
    const all = [...this.#kept.values()]
    const broken = all.filter(({ severity }) => severity === 'error').map(({ path }) => path)
    const hidden = (path: string) =>
      path !== '' && broken.some((each) => each === path || each.startsWith(`${path}/`))
    return all
      .filter(({ severity, path }) => severity === 'error' || !hidden(path))
      .map(({ occurrences, ...finding }) =>
        occurrences === 1 ? finding : { ...finding, occurrences },
      )
  }
}
