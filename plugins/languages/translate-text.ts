import { formatDay } from './days.ts'
import { formatMoney } from './money.ts'
import type { Moment, Text, Value } from './text.ts'
import { latin, type Speech, translate } from './translate.ts'

export const translateText = (speech: Speech, { text, values }: Text): string =>
  translate(
    speech,
    text,
    values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(speech, value)])),
  )

function plain(speech: Speech, value: Value): string | number {
  if (typeof value !== 'object') return value
  if ('text' in value) return translateText(speech, value)
  if ('precision' in value) return written(speech, value)
  if ('day' in value) return formatDay(speech.tag, value.day, 'long')
  if ('currency' in value) return formatMoney(speech.tag, value)
  return new Intl.ListFormat(speech.tag).format(value.map((each) => translateText(speech, each)))
}

// Mails are read anywhere, so times name their zone.
const written = ({ tag }: Speech, { at, precision }: Moment) =>
  new Intl.DateTimeFormat(latin(tag), {
    dateStyle: 'long',
    ...(precision === 'second' && { timeStyle: 'long' }),
    timeZone: 'UTC',
  }).format(at)

export const betweenTags = /(?<=>)[^<>]*[^<>\s][^<>]*(?=<)/g

export const translateHtml = (html: string, speech: Speech) =>
  html
    .replace('<html lang="en">', `<html lang="${speech.tag}" dir="${speech.dir}">`)
    .replace(betweenTags, (words) => translate(speech, words.replace(/\s+/g, ' ').trim()))
