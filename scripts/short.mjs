// How the scripts and schemas of the package are written: the blanks, line ends and signs that a reader can do without are
// a fifth of the compiler's scripts, and the indents of schemas a fifth. A test of the package's size uses the same.

import { transform } from 'esbuild'

/** Names stay as they are, and lines short: errors quote them. */
const options = { minifyWhitespace: true, lineLimit: 120, charset: 'utf8', target: 'esnext' }

/** Whether a file of the package is written in short. */
export const isShortened = (file) => /\.(?:js|xsd)$/.test(file)

/** A script or a schema in short. */
export const inShort = async (file, text) => {
  if (file.endsWith('.xsd')) return text.replaceAll(/\n\s+/g, '\n')
  // The package has no source maps: esbuild leaves the comment that names one out.
  const { code } = await transform(text, options)
  return code
}
