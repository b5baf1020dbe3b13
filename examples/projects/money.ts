/**
 * An amount in the smallest unit of its currency, such as cents: sums of decimals would be wrong by a cent at times.
 */
export type Money = { amount: number; currency: string }

// As an option, since a page's locale names them already, and a tag that names them twice is invalid.
const digits = { numberingSystem: 'latn' } as const

/** `€12.50`, or `12,50 €`. */
export const formatMoney = (locale: string, { amount, currency }: Money) =>
  new Intl.NumberFormat(locale, { ...digits, style: 'currency', currency }).format(unitsIn({ amount, currency }))

/** The amount as people type it into a field, without currency and grouping: `1250.00`, or `1250,00`. */
export function typedMoney(locale: string, money: Money) {
  const count = digitsOf(money.currency)
  const style = { ...digits, useGrouping: false, minimumFractionDigits: count, maximumFractionDigits: count }
  return new Intl.NumberFormat(locale, style).format(unitsIn(money))
}

/** For files and programs: `1250.00`. */
export const decimalMoney = (money: Money) => unitsIn(money).toFixed(digitsOf(money.currency))

/**
 * Reads an amount that someone typed in their language: `1,250.5` in English is `1.250,5` in German. A point is always
 * accepted for decimals unless it groups thousands. Undefined for anything else, so that nothing is guessed.
 */
export function parseMoney(locale: string, typed: string, currency: string): Money | undefined {
  const { group, decimal } = separatorsOf(locale)
  const count = digitsOf(currency)
  const fraction = (separator: string) => (count > 0 ? `(?:[${separator}](\\d{1,${count}}))?` : '')
  const grouped = new RegExp(`^(\\d{1,3}(?:[${group}]\\d{3})+|\\d+)${fraction(decimal)}$`)
  const plain = new RegExp(`^(\\d+)${fraction('.')}$`)
  const text = latinDigits(typed).replace(/\s/g, '')
  const match = grouped.exec(text) ?? plain.exec(text)
  if (!match) return undefined
  const [, whole = '', part = ''] = match
  const amount = Number(whole.replace(/\D/g, '') + part.padEnd(count, '0'))
  return amount <= maxAmount ? { amount, currency } : undefined
}

const maxAmount = 999_999_999_999_999 // larger ones lose digits as numbers

const unitsIn = ({ amount, currency }: Money) => amount / 10 ** digitsOf(currency)

/** Two for most currencies, none for yen, three for dinars. */
const digitsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** With the Arabic separators, and the apostrophes that group digits in Switzerland. */
function separatorsOf(locale: string) {
  const parts = new Intl.NumberFormat(locale, { ...digits, useGrouping: true }).formatToParts(12_345.6)
  const separator = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { group: `${separator('group')}٬'’`, decimal: `${separator('decimal')}٫` }
}

/** Arabic and Persian digits as those of a keyboard in English. */
const latinDigits = (text: string) => text.replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) % 16))
