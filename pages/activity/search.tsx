import { Link, router } from '@inertiajs/react'
import type { SubmitEvent } from 'react'
import type { Filters } from '../../features/activity/filters.ts'
import type { Path } from '../../features/paths.ts'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'

type Props = {
  filters: Filters
  kind: string | null
  people: { id: number; name: string }[]
  /** Without any filter but the kind. */
  all: Path
}

/** Searches activity by person and time. A form, so it also works before the script is there. */
export function ActivitySearch({ filters: { actor, from, to }, kind, people, all }: Props) {
  return (
    <search className="activity-search">
      {/* Another key, so that fields show what is searched for after going back, too. */}
      <form key={`${actor} ${from} ${to}`} onSubmit={search}>
        {kind && <input type="hidden" name="kind" value={kind} />}
        <label>
          {t('By')}
          <select className="select" name="actor" defaultValue={actor ?? ''}>
            <option value="">{t('anyone')}</option>
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
        <Button type="submit">{t('Search')}</Button>
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
  const given = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
  const query = Object.fromEntries(given)
  if (query.from || query.to) query.tz = Intl.DateTimeFormat().resolvedOptions().timeZone
  router.get(location.pathname, query, { preserveScroll: true })
}
