import type { Draw } from '../draw/draw.ts'

/** Texts that invoices carry beside their figures; some hold what software often handles badly. */

/** Legal everywhere, plausible in its place, and each a trap of its own. */
const awkward = [
  'czcionka: Zażółć gęślą jaźń', // all Polish letters
  'napis „Cafe\u0301 E\u0301lan”', // combining marks
  'znak 💡, szyld \u{20BB7}野家', // beyond the basic plane
  'napis po arabsku: مرحبا', // right to left
  "napis „d'Artagnan's”", // apostrophes
  'napis „[A[1]]> & <b> "x"”', // needs escaping
  'nakład 1\u00A0000\u2003szt.', // blanks that are no XML white space
  'napis w dwóch wierszach: góra\u0085dół', // allowed control character
  'napis „%s {0} ${nr} \\n”', // looks like a template
] as const

/** A detail of an order that a program copied without a look at its characters. */
export const awkwardDetail = (draw: Draw): string => draw.pick(awkward)
