import { Link, router } from '@inertiajs/react'
import type { SubmitEvent } from 'react'
import type { Filters } from '../../features/activity/filters.ts'
import type { ActivityProps } from '../../features/activity/props.ts'
import type { Path } from '../../features/paths.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { Button } from '../shared/button.tsx'
import { Download } from '../shared/download.tsx'
import { t } from '../words/t.ts'
import { ActivityList, type ListProps } from './activity-list.tsx'

type Props<A> = ListProps<A> & {
  kinds: Record<string, Text>
  kind: string | null
  filters: Filters
  people: { id: number; name: string }[]
  page(query: Record<string, string>): Path
  file: ((query: Record<string, string>) => Path) | false
}

export function History<A extends ActivityProps>(props: Props<A>) {
  const { kinds, kind, filters, people, page, file, nothing, ...list } = props
  const query = inQuery(filters)
  const chosen = { kind: kind ?? '' }

  return (
    <>
      <div className="activity-bar">
        <nav className="filters" aria-label={t('Kinds of activity')}>
          {Object.entries({ '': text('All'), ...kinds }).map(([name, label]) => (
            <Link
              key={name}
              href={page({ ...query, kind: name }).url}
              aria-current={name === chosen.kind ? 'page' : undefined}
              preserveScroll
            >
              {t(label)}
            </Link>
          ))}
        </nav>
        {file && <Download size="small" href={file({ ...query, ...chosen }).url} />}
      </div>
      <ActivitySearch filters={filters} kind={kind} people={people} all={page(chosen)} />
      <ActivityList {...list} nothing={nothingFound(kind, filters) ?? nothing} />
    </>
  )
}

type SearchProps = Pick<Props<unknown>, 'filters' | 'kind' | 'people'> & { all: Path }

/** Searches activity by person and time. A form, so it also works before the script is there. */
function ActivitySearch({ filters: { actor, from, to }, kind, people, all }: SearchProps) {
  return (
    <search className="activity-search">
      {/* Another key, so that fields show what is searched for after going back, too. */}
      <form key={`${actor} ${from} ${to}`} onSubmit={search}>
        {kind && <input type="hidden" name="kind" value={kind} />}
        <label>
          {t('Person')}
          <select className="select" name="actor" defaultValue={actor ?? ''}>
            <option value="">{t('Anyone')}</option>
            {people.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('From')}
          <input className="select" type="date" name="from" defaultValue={from ?? ''} />
        </label>
        <label>
          {t('To')}
          <input className="select" type="date" name="to" defaultValue={to ?? ''} />
        </label>
        <Button type="submit">{t('Apply')}</Button>
        {(actor || from || to) && (
          <Link className="link" href={all.url} preserveScroll>
            {t('Show all')}
          </Link>
        )}
      </form>
    </search>
  )
}

function search(event: SubmitEvent<HTMLFormElement>) {
  event.preventDefault()
  const filled = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
  const query = Object.fromEntries(filled)
  if (query.from || query.to) query.tz = Intl.DateTimeFormat().resolvedOptions().timeZone
  router.get(location.pathname, query, { preserveScroll: true })
}

const inQuery = ({ actor, from, to, tz }: Filters) => ({
  actor: String(actor ?? ''),
  from: from ?? '',
  to: to ?? '',
  tz: from || to ? (tz ?? '') : '',
})

function nothingFound(kind: string | null, { actor, from, to }: Filters) {
  if (actor || from || to) return t('No activity matches your filters.')
  return kind ? t('No activity of this kind yet.') : undefined
}
