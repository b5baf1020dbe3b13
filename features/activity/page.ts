import type { Database } from '../../plugins/database/index.ts'
import { scroll } from '../../plugins/inertia/index.ts'
import { type Filters, filtersOf } from './filters.ts'
import type { Kind } from './kinds.ts'
import { type Activity, activitiesOf, type Whose } from './lists.ts'

type Query<Name> = { before?: string; kind?: Name } & { [Filter in keyof Filters]?: unknown }

/** The props of a page that lists activities. `kinds` are those that each of its filters stands for. */
export async function activityPage<Name extends string, Shown extends { id: number }>(
  db: Database,
  whose: Whose,
  { before, kind, ...given }: Query<Name>,
  kinds: Record<Name, readonly Kind[]>,
  present: (activity: Activity) => Shown,
) {
  const filters = filtersOf(given)
  const wanted = { before: before ? Number(before) : undefined, kinds: kind && kinds[kind], ...filters }
  const { page, next } = await activitiesOf(db, whose, wanted)
  return {
    activities: scroll(() => page.map(present), {
      pageName: 'before',
      wrapper: '',
      matchOn: 'id',
      page: () => ({ currentPage: before ?? null, previousPage: null, nextPage: next }),
    }),
    kind: kind ?? null,
    filters,
  }
}
