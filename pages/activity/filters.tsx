import { Link } from '@inertiajs/react'
import type { Filters as Search } from '../../features/activity/filters.ts'
import type { Path } from '../../features/paths.ts'
import type { Text } from '../../plugins/languages/text.ts'
import { t } from '../words/t.ts'

type Props<Kind extends string> = {
  kinds: Record<Kind, Text>
  chosen: Kind | null
  to(kind: Kind | ''): Path
}

export const inQuery = ({ actor, from, to, tz }: Search) => ({
  actor: String(actor ?? ''),
  from: from ?? '',
  to: to ?? '',
  tz: from || to ? (tz ?? '') : '',
})

/** Says that no activity matches. Undefined without a filter. */
export function nothingFound(kind: string | null, { actor, from, to }: Search) {
  if (actor || from || to) return t('No activity matches your filters.')
  return kind ? t('No activity of this kind yet.') : undefined
}

export const Filters = <Kind extends string>({ kinds, chosen, to }: Props<Kind>) => (
  <nav className="filters" aria-label={t('Kinds of activity')}>
    <Filter to={to('')} isChosen={chosen === null}>
      {t('All')}
    </Filter>
    {(Object.entries(kinds) as [Kind, Text][]).map(([kind, name]) => (
      <Filter key={kind} to={to(kind)} isChosen={kind === chosen}>
        {t(name)}
      </Filter>
    ))}
  </nav>
)

const Filter = ({ to, isChosen, children }: { to: Path; isChosen: boolean; children: string }) => (
  <Link href={to.url} aria-current={isChosen ? 'page' : undefined} preserveScroll>
    {children}
  </Link>
)
