/**
 * Reads a store from end to end, in a separate process: the storage engine trusts its file, and a damaged file ends
 * the process that reads it.
 */

import process from 'node:process'
import { open } from 'lmdb'

const [, , path = ''] = process.argv
const root = open<Uint8Array>({ path, encoding: 'binary', readOnly: true })
let bytes = 0
for (const { value } of root.getRange()) bytes += value.length
process.stdout.write(String(bytes))
