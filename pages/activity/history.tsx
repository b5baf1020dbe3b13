import { Link } from '@inertiajs/react'
import type { Filters } from '../../features/activity/filters.ts'
import type { ActivityProps } from '../../features/activity/props.ts'
import type { Path } from '../../features/paths.ts'
import type { Text } from '../../plugins/languages/text.ts'
import { Download } from '../shared/download.tsx'
import { t } from '../words/t.ts'
import { ActivityList, type ListProps } from './activity-list.tsx'
import { ActivitySearch } from './search.tsx'

type Props<A, Kind extends string> = ListProps<A> & {
  kinds: Record<Kind, Text>
  kind: Kind | null
  filters: Filters
  people: { id: number; name: string }[]
  page(query: Record<string, string>): Path
  /** The same as a file, for those who may have it. */
  file: ((query: Record<string, string>) => Path) | false
}

/** A list of activity, and what narrows it. */
export function History<A extends ActivityProps, Kind extends string>(props: Props<A, Kind>) {
  const { kinds, kind, filters, people, page, file, nothing, ...list } = props
  const query = inQuery(filters)
  const chosen = { kind: kind ?? '' }

  return (
    <>
      <div className="activity-bar">
        <nav className="filters" aria-label={t('Kinds of activity')}>
          <Filter to={page({ ...query, kind: '' })} isChosen={kind === null}>
            {t('All')}
          </Filter>
          {(Object.entries(kinds) as [Kind, Text][]).map(([name, text]) => (
            <Filter key={name} to={page({ ...query, kind: name })} isChosen={name === kind}>
              {t(text)}
            </Filter>
          ))}
        </nav>
        {file && <Download size="small" href={file({ ...query, ...chosen }).url} />}
      </div>
      <ActivitySearch filters={filters} kind={kind} people={people} all={page(chosen)} />
      <ActivityList {...list} nothing={nothingFound(kind, filters) ?? nothing} />
    </>
  )
}

const Filter = ({ to, isChosen, children }: { to: Path; isChosen: boolean; children: string }) => (
  <Link href={to.url} aria-current={isChosen ? 'page' : undefined} preserveScroll>
    {children}
  </Link>
)

const inQuery = ({ actor, from, to, tz }: Filters) => ({
  actor: String(actor ?? ''),
  from: from ?? '',
  to: to ?? '',
  tz: from || to ? (tz ?? '') : '',
})

/** Says that no activity matches. Undefined without a filter. */
function nothingFound(kind: string | null, { actor, from, to }: Filters) {
  if (actor || from || to) return t('No activity matches your filters.')
  return kind ? t('No activity of this kind yet.') : undefined
}
