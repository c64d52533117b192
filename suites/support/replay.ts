import type { Subject } from './rule.ts'
import { runOptions } from './run-options.ts'

const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text}'`)

/**
 * The command that runs the checks of one rule again, with the same draws.
 * @param sequence the one sequence of the model that is to be made again, by its name
 */
export const replayOf = ({ rule }: Subject, sequence?: string): string => {
  const { seed, namespace, targetName, dialect, limits } = runOptions
  return [
    `${sequence === undefined ? '' : `ASSAY_SEQUENCE=${quoted(sequence)} `}assay check ${rule}`,
    targetName === undefined ? '' : `--target ${quoted(targetName)}`,
    `--seed ${seed} --namespace ${quoted(namespace)}`,
    dialect === 'svc' ? '' : `--dialect ${dialect}`,
    limits === 'production' ? '' : `--limits ${quoted(limits)}`,
  ]
    .filter(Boolean)
    .join(' ')
}
