import { Fragment } from 'react'
import { Name } from '../shared/name.ts'
import { lazily, locale } from '../words/locale.ts'
import { plural } from '../words/t.ts'

const list = lazily(() => new Intl.ListFormat(locale()))

/** Some names of `count` people, as the language lists them: "Ana, Ben and 3 others". */
export function Names({ names, count }: { names: string[]; count: number }) {
  const others = count - names.length
  const parts = others > 0 ? [...names, plural(others, '{count} other', '{count} others')] : names
  let position = 0
  return list()
    .formatToParts(parts)
    .map(({ type, value }, index) => {
      const isName = type === 'element' && position++ < names.length
      // biome-ignore lint/suspicious/noArrayIndexKey: two people may have the same name
      return <Fragment key={index}>{isName ? <Name>{value}</Name> : value}</Fragment>
    })
}
