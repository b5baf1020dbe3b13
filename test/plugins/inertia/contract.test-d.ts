// Never run, only type-checked: wrong calls must not compile, and an unused @ts-expect-error fails the type check.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { always, defer, merge, once, optional, scroll } from '../../../plugins/inertia/index.ts'

type Team = { id: number; name: string; founded: string }
type Member = { id: number; name: string }

declare module '../../../plugins/inertia/pages.ts' {
  interface SharedProps {
    'test/viewer': Member | null
    'test/motto'?: string
  }
  interface Pages {
    // biome-ignore lint/complexity/noBannedTypes: the page takes no props of its own
    'test/bare': {}
    'test/team': {
      team: Team
      role: 'owner' | 'member'
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
declare const team: Team
declare const members: Member[]
declare const role: 'owner' | 'member'
declare const count: () => Promise<number>
declare const row: Team & { passwordDigest: string }
declare const dated: Omit<Team, 'founded'> & { founded: Date }
declare const rows: (Member & { email: string })[]

const ann = { id: 1, name: 'Ann' }
const all = { team, role, lead: null, members }
const page = ({ next }: { next: number | null }) => ({ currentPage: 1, previousPage: null, nextPage: next })

// Valid props: values, closures, and every kind where it fits.
reply.page('test/bare', {})
reply.page('test/bare', { 'test/viewer': null })
reply.page('test/team', all)
reply.page('test/team', { ...all, lead: ann, members: [ann], members_count: 1 })
reply.page('test/team', { team: () => team, role: () => role, lead: async () => null, members: async () => members })
reply.page('test/team', { ...all, team: always(team), role: always(() => role), lead: once(() => null) })
reply.page('test/team', { ...all, lead: { id: () => 1, name: always('Ann') }, members: merge(() => members) })
reply.page('test/team', { ...all, members: once(merge(async () => members)), members_count: defer(count) })
reply.page('test/team', { ...all, filter: optional(once(() => 'all')), members_count: once(defer(count)) })
reply.page('test/team', { ...all, filter: undefined })
reply.page('test/team', { ...all, feed: defer(scroll(() => ({ data: members, next: null }), { page })) })

// @ts-expect-error a page that does not exist
reply.page('test/none', {})
// @ts-expect-error a missing prop
reply.page('test/team', { team, role, members })
// @ts-expect-error a prop that the page does not declare
reply.page('test/team', { team, role, lead: null, members, extra: 1 })
const extra = { team, role, lead: null, members, extra: 1 } as const
// @ts-expect-error the same through a variable, where the compiler checks no excess properties by itself
reply.page('test/team', extra)
// @ts-expect-error the same, nested
reply.page('test/team', { ...all, lead: { id: 1, name: 'Ann', email: 'ann@example.com' } })
// @ts-expect-error a value that the page does not know
reply.page('test/team', { ...all, role: 'king' })
// @ts-expect-error a promise that nobody awaited
reply.page('test/team', { ...all, members_count: count() })

// @ts-expect-error a database row with a column that is nobody's business
reply.page('test/team', { ...all, team: row })
// @ts-expect-error the same out of a closure
reply.page('test/team', { ...all, team: () => row })
// @ts-expect-error the same out of an asynchronous closure
reply.page('test/team', { ...all, team: async () => row })
// @ts-expect-error the same in a kind
reply.page('test/team', { ...all, team: always(() => row) })
// @ts-expect-error rows deep in a deferred prop
reply.page('test/team', { ...all, feed: defer(async () => ({ data: rows, next: null })) })
// @ts-expect-error a date, which arrives as a string
reply.page('test/team', { ...all, team: dated })

// @ts-expect-error deferred, but the page relies on it at once
reply.page('test/team', { ...all, members: defer(() => members) })
// @ts-expect-error optional, but the page relies on it at once
reply.page('test/team', { ...all, members: optional(() => members) })
// @ts-expect-error once does not make a deferred prop arrive earlier
reply.page('test/team', { ...all, members: once(defer(() => members)) })

app.share('test/viewer', (request) => (request.inertia ? ann : null))
app.share('test/viewer', async () => once(() => ann))
app.share('test/motto', (request) => (request.inertia ? defer(async () => 'motto') : undefined))

// @ts-expect-error a shared prop that does not exist
app.share('test/other', () => null)
// @ts-expect-error a shared database row
app.share('test/viewer', () => rows[0])
// @ts-expect-error the same in a kind
app.share('test/viewer', () => once(() => ({ ...ann, email: 'ann@example.com' })))
// @ts-expect-error deferred, but every page relies on it at once
app.share('test/viewer', () => defer(() => null))
