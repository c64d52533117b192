const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A document padded to exactly this size by a comment at its end. */
export const filled = (bytes: Uint8Array, size: number, filling = 'a'): Uint8Array => {
  const [begin, end] = ['\n<!-- ', ' -->']
  const room = size - bytes.length - begin.length - end.length
  const width = utf8(filling).length
  const text = filling.repeat(Math.floor(room / width)) + '.'.repeat(room % width)
  return new Uint8Array(Buffer.concat([bytes, utf8(begin + text + end)]))
}

/** Characters of one to four bytes, and line ends that a parser makes one character. */
export const mixed = `${'aż€🧾'.repeat(12)}\r\n`
