import type { FastifyInstance, FastifyRequest } from 'fastify'
import { heldKeys, once } from '../../plugins/inertia/index.ts'
import { type Listed, type Lists, listsFinder } from './finders.ts'
import { presentReference } from './props.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the account switcher lists. Null until someone asks, unless the account's own query found it. */
    lists: Lists | Promise<Lists> | null
  }
}

/** Whether the request is for a page, in a browser that does not have the lists of the account switcher yet. */
export function wantsLists(request: FastifyRequest) {
  if (request.method !== 'GET') return false
  const held = heldKeys(request)
  return !['accounts:', 'open_invitations:'].every((prefix) => held.some((key) => key.startsWith(prefix)))
}

/**
 * Shares the lists of the account switcher: accounts and open invitations. The browser keeps the one until the user
 * joins or leaves an account, the other until they are invited or an invitation ends: these change its key. Names in
 * them may be older, so the open switcher asks for them again.
 */
export function shareLists(app: FastifyInstance) {
  const findLists = listsFinder(app.db.lookups, { withLists: true })
  const findVersions = listsFinder(app.db.lookups, { withLists: false })
  const find = async (userId: number, finder: typeof findLists): Promise<Lists> => {
    const [found] = await finder.execute({ userId, at: app.now().toISOString() })
    return found ?? { accounts: nothing, open_invitations: nothing }
  }

  async function keep<Item>(
    request: FastifyRequest,
    name: string,
    pick: (lists: Lists) => Listed<Item>,
    present = (item: Item) => item,
  ) {
    if (!request.auth) return undefined
    const { id: userId } = request.auth.user
    request.lists ??= find(userId, wantsLists(request) ? findLists : findVersions)
    const { version, list } = pick(await request.lists)
    const load = async () => list ?? pick(await find(userId, findLists)).list ?? []
    return once(async () => (await load()).map(present), { key: `${name}:${version}` })
  }

  app.decorateRequest('lists', null)
  app.share('accounts', (request) => keep(request, 'accounts', (lists) => lists.accounts, presentReference))
  app.share('open_invitations', (request) => keep(request, 'open_invitations', (lists) => lists.open_invitations))
}

// The user is gone.
const nothing = { version: '', list: [] }
