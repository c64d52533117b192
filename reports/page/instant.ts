/** An instant as people read it, to the second. */
export const instant = (iso: string): string =>
  iso.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/, '$1 $2 UTC')
