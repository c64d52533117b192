// How the scripts and schemas of the package are written: the compiler's blanks, line ends and signs that a reader can do
// without are an eighth of it, and the indents of schemas a fifth. A test of the package's size uses the same.

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

/** Whether a file of the package is written in short. */
export const isShortened = (file) => /\.(?:js|xsd)$/.test(file)

/** A script or a schema in short. */
export const inShort = async (file, text) => {
  if (file.endsWith('.xsd')) return text.replaceAll(/\n\s+/g, '\n')
  // The package has no source maps.
  const script = text.replace(/\/\/# sourceMappingURL=.*\s*$/, '')
  const { code, errors } = await format(file, script, options)
  const [problem] = errors
  if (problem !== undefined) throw new Error(`${file}: ${problem.message}`)
  return code
}
