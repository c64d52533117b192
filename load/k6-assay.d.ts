// The module of engine/files.go.
declare module 'k6/x/assay' {
  /** Only while k6 loads the script. */
  export function openFile(path: string): {
    size(): number
    read(from: number, length: number): ArrayBuffer
  }
  /** Writes one line to standard output. */
  export function printLine(line: string): void
}
