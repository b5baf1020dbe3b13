import { hash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { once } from '../../plugins/inertia/index.ts'
import { accountListFinder } from './memberships.ts'
import type { AccountReference } from './props.ts'
import requireMember from './require-member.ts'
import { accountRoutes, newAccountRoutes } from './routes/accounts.ts'
import { homeRoutes } from './routes/home.ts'

type Options = { invitationOnly: boolean }

/** Where people work together: accounts, and the way to the one that a user used last. */
export const accounts: FastifyPluginAsync<Options> = async (app, options) => {
  await app.register(requireMember)
  const findList = accountListFinder(app.db)

  // The browser keeps the switcher's list until the list has another content, and so another key.
  app.share('accounts', async ({ auth, member }) => {
    if (!auth) return undefined
    const list = member?.accountList ?? (await findList.execute({ userId: auth.user.id }))[0]?.list ?? '[]'
    return once((): AccountReference[] => JSON.parse(list), { key: `accounts:${hash('sha1', list, 'base64url')}` })
  })

  app.register(homeRoutes, options)
  app.register(newAccountRoutes)
  app.register(accountRoutes)
}
