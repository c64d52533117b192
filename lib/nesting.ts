/** Maximum number of levels of lists and objects in an answer; the contract has fewer than ten. */
export const maxNesting = 200

/** Whether a JSON text has more levels than that; brackets in strings do not count. */
export function nestsDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (quoted) {
      if (letter === 0x5c) at += 1
      else if (letter === 0x22) quoted = false
    } else if (letter === 0x22) quoted = true
    else if (letter === 0x5b || letter === 0x7b) {
      depth += 1
      if (depth > levels) return true
    } else if (letter === 0x5d || letter === 0x7d) depth -= 1
  }
  return false
}
