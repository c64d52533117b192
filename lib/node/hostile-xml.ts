/** A document type with ten entities, each ten times the one before: `&j;` is four thousand million letters long. */
export function entityBomb(root: string): string {
  const names = Array.from('abcdefghij')
  const entities = names.map((name, place) => {
    const before = names[place - 1]
    return `<!ENTITY ${name} "${before === undefined ? 'haha' : `&${before};`.repeat(10)}">`
  })
  return `<!DOCTYPE ${root} [${entities.join('')}]>`
}

/** Ways to have a parser fetch from an address: each puts a document type before a document. */
export const fetchingDocuments = (
  root: string,
  url: string,
): readonly ((document: string) => string)[] =>
  ['SYSTEM', 'PUBLIC "-//assay//en"'].flatMap((external) => [
    (document: string) => `<!DOCTYPE ${root} ${external} "${url}/dtd">${document}`,
    (document: string) =>
      `<!DOCTYPE ${root} [<!ENTITY e ${external} "${url}/entity">]>${document.replace('</', '&e;</')}`,
    (document: string) =>
      `<!DOCTYPE ${root} [<!ENTITY % p ${external} "${url}/parameter">%p;]>${document}`,
  ])
