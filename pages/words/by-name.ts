import { lazily } from './lazily.ts'
import { locale } from './locale.ts'

type Named = { name: string }

const collator = lazily(() => new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' }))

export const byName = (one: Named, other: Named) => collator().compare(one.name, other.name)
