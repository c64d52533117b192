import type { Subject } from './rule.ts'
import { defaultDocuments } from '../../../generators/invoice/options.ts'
import { runOptions } from './run-options.ts'
import type { RunOptions } from './run-options.ts'

const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The command that runs the checks of one rule again, with the same draws, documents and expectations.
 * @param sequence the one sequence of the model that is to be made again, by its name
 */
export const replayOf = (
  { rule }: Subject,
  sequence?: string,
  options: RunOptions = runOptions,
): string => {
  const { seed, namespace, targetName, dialect, limits } = options
  const { invoices, unmodified, documents, strict, baseline } = options
  return [
    `${sequence === undefined ? '' : `ASSAY_SEQUENCE=${quoted(sequence)} `}assay check ${rule}`,
    targetName === undefined ? '' : `--target ${quoted(targetName)}`,
    `--seed ${seed} --namespace ${quoted(namespace)}`,
    dialect === 'svc' ? '' : `--dialect ${dialect}`,
    limits === 'production' ? '' : `--limits ${quoted(limits)}`,
    invoices === undefined ? '' : `--invoices ${quoted(invoices)}`,
    unmodified ? '--unmodified' : '',
    documents === defaultDocuments ? '' : `--documents ${documents}`,
    strict ? '--strict' : '',
    baseline === undefined ? '' : `--baseline ${quoted(baseline)}`,
  ]
    .filter(Boolean)
    .join(' ')
}
