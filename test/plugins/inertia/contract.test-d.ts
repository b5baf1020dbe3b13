import type { FastifyInstance, FastifyReply } from 'fastify'
import '../../../plugins/inertia/index.ts'
import { always, defer, merge, once, optional, scroll } from '../../../plugins/inertia/props.ts'

type Role = 'owner' | 'member'
interface Member {
  id: number
  name: string
}

declare module '../../../plugins/inertia/pages.ts' {
  interface SharedProps {
    'test/viewer': { id: number; name: string } | null
    'test/visits'?: number
  }
  interface Pages {
    // biome-ignore lint/complexity/noBannedTypes: the page takes no props of its own
    'test/bare': {}
    'test/team': {
      team: { id: number; name: string; founded: string }
      role: Role
      lead: Member | null
      members: Member[]
      filter?: string
      members_count?: number
      feed?: { data: Member[]; next: number | null }
    }
  }
}

declare const reply: FastifyReply
declare const app: FastifyInstance
declare const team: { id: number; name: string; founded: string }
declare const row: { id: number; name: string; founded: string; passwordDigest: string }
declare const dated: { id: number; name: string; founded: Date }
declare const members: Member[]
declare const rows: (Member & { email: string })[]
declare const role: Role
declare const count: () => Promise<number>

const lead = null

// What a handler may write
reply.page('test/bare', {})
reply.page('test/bare', { 'test/viewer': null })
reply.page('test/team', { team, role: 'owner', lead, members })
reply.page('test/team', {
  team: { id: 1, name: 'a', founded: 'b' },
  role,
  lead: { id: 1, name: 'a' },
  members: [{ id: 1, name: 'n' }],
  members_count: 1,
})
reply.page('test/team', {
  team: () => team,
  role: () => 'owner',
  lead: async () => ({ id: 1, name: 'a' }),
  members: async () => members,
})
reply.page('test/team', {
  team: always(team),
  role: always(() => 'owner'),
  lead: once(() => null),
  members: merge(async () => members),
  members_count: defer(count),
})
reply.page('test/team', {
  team: once(async () => team),
  role,
  lead: { id: () => 1, name: always('x') },
  members: once(merge(() => members)),
  members_count: optional(count),
  filter: optional(once(() => 'x')),
})
reply.page('test/team', {
  team,
  role,
  lead,
  members,
  feed: defer(
    scroll(() => ({ data: members, next: null }), {
      page: ({ next }) => ({ currentPage: 1, previousPage: null, nextPage: next }),
    }),
  ),
})
reply.page('test/team', { team, role, lead, members, members_count: once(defer(count)), filter: undefined })

// @ts-expect-error no such page
reply.page('test/none', {})
// @ts-expect-error a prop is missing
reply.page('test/team', { team, role, members })
// @ts-expect-error an extra prop
reply.page('test/team', { team, role, lead, members, extra: 1 })
const withExtra = { team, role, lead, members, extra: 1 }
// @ts-expect-error an extra prop through a variable
reply.page('test/team', withExtra)
// @ts-expect-error raw row
reply.page('test/team', { team: row, role, lead, members })
// @ts-expect-error raw row closure
reply.page('test/team', { team: () => row, role, lead, members })
// @ts-expect-error raw row async closure
reply.page('test/team', { team: async () => row, role, lead, members })
// @ts-expect-error raw row kind
reply.page('test/team', { team: always(() => row), role, lead, members })
// @ts-expect-error rows in a list
reply.page('test/team', { team, role, lead, members: rows })
// @ts-expect-error rows in a merge
reply.page('test/team', { team, role, lead, members: merge(async () => rows) })
// @ts-expect-error rows nested in a deferred
reply.page('test/team', { team, role, lead, members, feed: defer(async () => ({ data: rows, next: null })) })
// @ts-expect-error dates
reply.page('test/team', { team: dated, role, lead, members })
// @ts-expect-error a deferred prop that the page requires
reply.page('test/team', { team, role, lead, members: defer(() => members) })
// @ts-expect-error optional prop that the page requires
reply.page('test/team', { team, role, lead, members: optional(() => members) })
// @ts-expect-error once does not make it present
reply.page('test/team', { team, role, lead, members: once(defer(() => members)) })
// @ts-expect-error wrong literal
reply.page('test/team', { team, role: 'king', lead, members })
// @ts-expect-error wrong literal closure
reply.page('test/team', { team, role: () => 'king', lead, members })
// @ts-expect-error promise not awaited
reply.page('test/team', { team, role, lead, members, members_count: count() })
// @ts-expect-error nested extra
reply.page('test/team', { team, role, lead: { id: 1, name: 'a', email: 'b' }, members })
// @ts-expect-error nested deferred, required
reply.page('test/team', { team, role, lead: { id: defer(() => 1), name: 'a' }, members })

app.share('test/viewer', () => ({ id: 1, name: 'a' }))
app.share('test/viewer', () => null)
app.share('test/viewer', async () => null)
app.share('test/viewer', (request) => (request.inertia ? { id: 1, name: 'a' } : null))
app.share('test/viewer', () => once(() => ({ id: 1, name: 'a' })))
app.share('test/viewer', () => () => ({ id: 1, name: 'a' }))
app.share('test/visits', (request) => (request.inertia ? once(count, { key: 'x' }) : undefined))
app.share('test/visits', () => defer(count))
// @ts-expect-error unknown
app.share('test/other', () => null)
// @ts-expect-error row
app.share('test/viewer', () => row)
// @ts-expect-error row async
app.share('test/viewer', async () => row)
// @ts-expect-error row maybe
app.share('test/viewer', (request) => (request.inertia ? row : null))
// @ts-expect-error deferred required
app.share('test/viewer', () => defer(() => null))
