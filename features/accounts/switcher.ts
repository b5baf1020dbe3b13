import type { FastifyInstance, FastifyRequest } from 'fastify'
import { heldKeys, once } from '../../plugins/inertia/index.ts'
import { accountsFinder } from './finders.ts'
import { type AccountReference, type OpenInvitation, presentReference } from './props.ts'

const prefixes = { accounts: 'accounts:', openInvitations: 'open_invitations:' }
type List = keyof typeof prefixes

/** Whether the request is for a page, in a browser that does not have the lists of the account switcher yet. */
export function wantsLists(request: FastifyRequest) {
  if (request.method !== 'GET') return false
  const held = heldKeys(request)
  return !Object.values(prefixes).every((prefix) => held.some((key) => key.startsWith(prefix)))
}

/**
 * Shares the lists of the account switcher: accounts and open invitations. The browser keeps the one until the user
 * joins or leaves an account, the other until they are invited or an invitation ends: these change its key. Names in
 * them may be older, so the open switcher asks for them again.
 */
export function shareLists(app: FastifyInstance) {
  const findLists = accountsFinder(app.db.lookups, { withList: true })
  const findVersions = accountsFinder(app.db.lookups, { withList: false })
  const find = async (finder: typeof findLists, userId: number) =>
    (await finder.execute({ userId, at: app.now().toISOString() }))[0]

  const found = new WeakMap<FastifyRequest, ReturnType<typeof find>>()
  const findOnce = (request: FastifyRequest, userId: number) => {
    const asked = found.get(request) ?? find(wantsLists(request) ? findLists : findVersions, userId)
    found.set(request, asked)
    return asked
  }

  const share =
    <Item>(list: List, present: (item: Item) => Item) =>
    async (request: FastifyRequest) => {
      const { auth, member } = request
      if (!auth) return undefined
      const { id: userId } = auth.user
      const known = read((member ?? (await findOnce(request, userId)))?.[list])
      const load = async () => known.list ?? read((await find(findLists, userId))?.[list]).list ?? '[]'
      const key = prefixes[list] + known.version
      return once(async () => (JSON.parse(await load()) as Item[]).map(present), { key })
    }
  app.share('accounts', share<AccountReference>('accounts', presentReference))
  app.share(
    'open_invitations',
    share<OpenInvitation>('openInvitations', (invitation) => invitation),
  )
}

/** Divides what the database returned into the version and, where it was wanted, the list. */
function read(found = '') {
  const end = found.indexOf(' ')
  return end < 0 ? { version: found } : { version: found.slice(0, end), list: found.slice(end + 1) }
}
