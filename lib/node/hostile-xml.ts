/** A document type with ten entities, each ten times the one before: `&j;` is four thousand million letters long. */
export function entityBomb(root: string): string {
  const names = Array.from('abcdefghij')
  const entities = names.map((name, place) => {
    const before = names[place - 1]
    return `<!ENTITY ${name} "${before === undefined ? 'haha' : `&${before};`.repeat(10)}">`
  })
  return `<!DOCTYPE ${root} [${entities.join('')}]>`
}
