import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { spentStarts } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { authOf } from '../../plugins/security/session.ts'
import type { ProviderConfig } from '../../server/providers.ts'
import { paths } from '../paths.ts'
import { clientOf } from './clients/index.ts'
import { connectableOf } from './connectable.ts'
import { identitiesOf, isOffered, removeIdentities } from './identities.ts'
import { defineMails } from './mails.ts'
import { presentIdentity } from './props.ts'
import { identityRoutes } from './routes/identities.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'

const anHour = 3_600_000 // milliseconds

type Options = {
  providers: ProviderConfig[]
  origin: string
  appName: string
  invitationOnly: boolean
  demoEmail?: string | undefined
  fetch?: typeof globalThis.fetch
}

/** What providers are called that are not configured any more, but that people are still connected to. */
const names: Record<string, string> = { google: 'Google', github: 'GitHub', gitlab: 'GitLab', microsoft: 'Microsoft' }

/** Sign-in with other sites: OpenID Connect, and GitHub. */
export const providers: FastifyPluginAsync<Options> = async (app, options) => {
  const { fetch = globalThis.fetch, origin } = options
  const clients = new Map(
    options.providers.map((provider) => {
      const redirectUri = origin + paths.providerCallback(provider.id).url
      return [provider.id, clientOf(provider, { fetch, redirectUri })]
    }),
  )
  const nameOf = (id: string) => clients.get(id)?.name ?? names[id] ?? 'Single sign-on'

  defineMails(app, { appName: options.appName, nameOf })
  const present = async (userId: number) => (await identitiesOf(app.db, userId)).map(presentIdentity)
  app.dataExport.add('identities', present)
  app.waysIn.offers.push(...options.providers.map(({ id, name }) => ({ id, name })))
  app.waysIn.add({
    remove: (tx, user, added) => removeIdentities(app.mail, nameOf, tx, user, added),
    left: async (db, userId) =>
      (await usable(db, userId)).map(({ provider }) => text('sign-in with {provider}', { provider: nameOf(provider) })),
    alone: async (db, userId) => (await usable(db, userId)).length,
    async present(request) {
      const { user } = authOf(request)
      const connectable = connectableOf(app, request, user)
      return {
        identities: await present(user.id),
        providers: app.waysIn.offers,
        ...(connectable && { connectable }),
      }
    },
  })
  const usable = async (...[db, userId]: Parameters<typeof identitiesOf>) =>
    (await identitiesOf(db, userId)).filter(({ provider }) => isOffered(app.waysIn, provider))

  const anHourAgo = () => new Date(app.now().getTime() - anHour).toISOString() // a margin for clock differences
  app.sweeper.add({
    name: 'spent_starts',
    table: spentStarts,
    key: spentStarts.state,
    isExpired: () => sql`${spentStarts.expiresAt} < ${anHourAgo()}`,
  })

  const { appName, invitationOnly, demoEmail } = options
  const shared = { clients, origin, appName, invitationOnly }
  app.register(signInRoutes, shared)
  app.register(signUpRoutes, shared)
  app.register(identityRoutes, { ...shared, nameOf, demoEmail })
}
