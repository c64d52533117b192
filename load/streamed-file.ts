import { openFile } from 'k6/x/assay'
import type { OpenCorpusFile } from './corpus-file.ts'

/** Files by the module that `engine/` adds to k6: none of them is held in memory. */
export const openStreamed: OpenCorpusFile = openFile
