import { verifiedOf } from '../../lib/verdict.ts'
import { totalsOf } from '../finding.ts'
import { conclusionOf, coverageLine, headline, ruleCounts } from '../run.ts'
import type { Run } from '../run.ts'
import type { Words } from './words.ts'

/** The first lines of a report in the language of its reader. */

export const headlineIn = (words: Words, run: Run): string => {
  const { verdict } = conclusionOf(run)
  return words.headline?.(words.conclusion[verdict] ?? verdict, ruleCounts(run)) ?? headline(run)
}

export const coverageIn = (words: Words, run: Run): string => {
  const { verified, of, share } = verifiedOf(totalsOf(run.findings))
  return words.coverage?.(verified, of, Math.floor(share * 100)) ?? coverageLine(run)
}
