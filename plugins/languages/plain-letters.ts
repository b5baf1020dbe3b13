// Letters that Unicode does not take apart into a letter and its mark.
const whole = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' } as const

const wholeLetters = new RegExp(`[${Object.keys(whole).join('')}]`, 'g')

/**
 * As people type what they search for, without case and accents: `ozdemir` for Özdemir. Postgres has `plain_letters`.
 */
export const plainLetters = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(wholeLetters, (letter) => whole[letter as keyof typeof whole])
