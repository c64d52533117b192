import path from 'node:path'

/** A path as the user would type it: relative when it lies below the current directory. */
export const typedPath = (full: string, cwd: string): string => {
  const relative = path.relative(cwd, full)
  if (relative === '') return '.'
  const outside = path.isAbsolute(relative) || relative.split(path.sep)[0] === '..'
  return outside ? full : relative
}
