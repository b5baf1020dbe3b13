import type { FastifyInstance, FastifyRequest } from 'fastify'
import { heldKeys, once } from '../../plugins/inertia/index.ts'
import { accountsFinder } from './finders.ts'
import { type AccountReference, presentReference } from './props.ts'

const prefix = 'accounts:'

/** Whether the request is for a page, in a browser that does not have the list of the account switcher yet. */
export const wantsAccounts = (request: FastifyRequest) =>
  request.method === 'GET' && !heldKeys(request).some((key) => key.startsWith(prefix))

/**
 * Shares the list of the account switcher. The browser keeps it until the user joins or leaves an account, which
 * changes the key. Names in it may be older, so the open switcher asks for the list again.
 */
export function shareAccounts(app: FastifyInstance) {
  const findAccounts = accountsFinder(app.db.lookups, { withList: true })
  const findVersion = accountsFinder(app.db.lookups, { withList: false })

  app.share('accounts', async (request) => {
    const { auth, member } = request
    if (!auth) return undefined
    const { id: userId } = auth.user
    const found = member ? member : (await (wantsAccounts(request) ? findAccounts : findVersion).execute({ userId }))[0]
    const { version, list } = read(found)
    const load = async () => list ?? read((await findAccounts.execute({ userId }))[0]).list ?? '[]'
    const present = (json: string) => (JSON.parse(json) as AccountReference[]).map(presentReference)
    return once(async () => present(await load()), { key: prefix + version })
  })
}

/** Divides what the database returned into the version and, where it was wanted, the list. */
function read({ accounts = '0.0' }: { accounts?: string } = {}) {
  const end = accounts.indexOf(' ')
  return end < 0 ? { version: accounts } : { version: accounts.slice(0, end), list: accounts.slice(end + 1) }
}
