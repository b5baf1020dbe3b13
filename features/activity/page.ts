import type { Database } from '../../plugins/database/index.ts'
import { scroll } from '../../plugins/inertia/index.ts'
import { type Filters, filtersOf } from './filters.ts'
import type { Kind } from './kinds.ts'
import { type Activity, activitiesOf, type Whose } from './lists.ts'

type Query<Name> = { before?: string; kind?: Name } & { [Filter in keyof Filters]?: unknown }

type Kinds<Name extends string> = Record<Name, readonly Kind[]>

/** What a query asks for, besides a page. `kinds` are those that each of its filters stands for. */
export const wantedIn = <Name extends string>({ before: _, kind, ...given }: Query<Name>, kinds: Kinds<Name>) => ({
  ...filtersOf(given),
  kinds: kind && kinds[kind],
})

/** The props of a page that lists activities. */
export async function activityPage<Name extends string, Shown extends { id: number }>(
  db: Database,
  whose: Whose,
  query: Query<Name>,
  kinds: Kinds<Name>,
  present: (activity: Activity) => Shown,
) {
  const { before, kind } = query
  const wanted = wantedIn(query, kinds)
  const { page, next } = await activitiesOf(db, whose, { ...wanted, before: before ? Number(before) : undefined })
  return {
    activities: scroll(() => page.map(present), {
      pageName: 'before',
      wrapper: '',
      matchOn: 'id',
      page: () => ({ currentPage: before ?? null, previousPage: null, nextPage: next }),
    }),
    kind: kind ?? null,
    filters: filtersOf(query),
  }
}
