// Letters that Unicode does not take apart into a letter and its mark.
export const whole = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' } as const

const wholeLetters = new RegExp(`[${Object.keys(whole).join('')}]`, 'g')

/** A text in lower case and without accents, as people type what they search for: `ozdemir` for Özdemir. */
export const plainLetters = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(wholeLetters, (letter) => whole[letter as keyof typeof whole])
