import { open as openFile, SeekMode } from 'k6/experimental/fs'
import type { OpenCorpusFile } from './corpus-file.ts'

/** Files by k6's own module, which any k6 has. It holds each of them in memory, once for all virtual users. */
export const openLoaded: OpenCorpusFile = (path) => {
  const opening = openFile(path)
  return {
    async size() {
      const file = await opening
      return (await file.stat()).size
    },
    async read(from, length) {
      const file = await opening
      const bytes = new Uint8Array(length)
      await file.seek(from, SeekMode.Start)
      for (let read = 0; read < length;) {
        const piece = read === 0 ? bytes : new Uint8Array(length - read)
        const count = await file.read(piece)
        if (count === null || count === 0)
          throw new Error('the corpus ends before its index says so')
        if (read > 0) bytes.set(piece.subarray(0, count), read)
        read += count
      }
      return bytes.buffer
    },
  }
}
