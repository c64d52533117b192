/** Other spellings of a media type that mean the same: with the encoding that is its default, and in other letter case. */
export const spellingsOf = (media: string): readonly string[] => [
  `${media}; charset=utf-8`,
  `${media};charset=UTF-8`,
  `${media}; charset="utf-8"`,
  `${media}; Charset=Utf-8`,
  media.replace(/\w+$/, (part) => part.toUpperCase()),
  media.replace(/^\w/, (letter) => letter.toUpperCase()),
]
