/** A media type in other spellings of the same meaning: with the encoding that it has anyway, and in other letter case. */
export const spellingsOf = (media: string): readonly string[] => [
  `${media}; charset=utf-8`,
  `${media};charset=UTF-8`,
  `${media}; charset="utf-8"`,
  `${media}; Charset=Utf-8`,
  media.replace(/\w+$/, (part) => part.toUpperCase()),
  media.replace(/^\w/, (letter) => letter.toUpperCase()),
]
