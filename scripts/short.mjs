// How the scripts of the package are written: the compiler's blanks, line ends and signs that a reader can do without are
// an eighth of it. A test of the package's size uses the same.

import { format } from 'oxfmt'

const options = {
  useTabs: true,
  printWidth: 320,
  bracketSpacing: false,
  semi: false,
  arrowParens: 'avoid',
  trailingComma: 'none',
  objectWrap: 'collapse',
}

/** A script in short. */
export const inShort = async (file, text) => {
  const { code, errors } = await format(file, text, options)
  const [problem] = errors
  if (problem !== undefined) throw new Error(`${file}: ${problem.message}`)
  return code
}
