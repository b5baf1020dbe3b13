import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { spentStarts } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { paths } from '../paths.ts'
import { clientOf } from './clients/index.ts'
import type { ProviderConfig } from './configuration.ts'
import { identitiesOf, isOffered, nameOf, removeIdentities } from './identities.ts'
import { defineMails } from './mails.ts'
import { pendingIdentityOf } from './pending-identity.ts'
import { presentIdentity } from './props.ts'
import { identityRoutes } from './routes/identities.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'

type Options = {
  providers: ProviderConfig[]
  origin: string
  appName: string
  invitationOnly: boolean
  demoEmail?: string | undefined
  fetch?: typeof globalThis.fetch
}

/** Sign-in with other sites: OpenID Connect, and GitHub. */
export const providers: FastifyPluginAsync<Options> = async (app, options) => {
  const { fetch = globalThis.fetch, origin } = options
  const clients = new Map(
    options.providers.map((provider) => {
      const redirectUri = origin + paths.providerCallback(provider.id).url
      return [provider.id, clientOf(provider, { fetch, redirectUri })]
    }),
  )
  app.signInMethods.offers.push(...options.providers.map(({ id, name }) => ({ id, name })))
  defineMails(app, options)
  const present = async (userId: number) => (await identitiesOf(app.db, userId)).map(presentIdentity)
  app.dataExport.add('identities', present)
  const usable = async (db: Database | Tx, userId: number) =>
    (await identitiesOf(db, userId)).filter(({ provider }) => isOffered(app.signInMethods, provider))
  app.signInMethods.add({
    remove: (tx, user, before) => removeIdentities(app, tx, user, before),
    left: async (db, userId) =>
      (await usable(db, userId)).map(({ provider }) =>
        text('sign-in with {provider}', { provider: nameOf(app.signInMethods, provider) }),
      ),
    sufficient: async (db, userId) => (await usable(db, userId)).length,
    async present(request) {
      const { user } = request.signedIn
      const { offers } = app.signInMethods
      const pending = pendingIdentityOf(request, user)
      const connectable = pending && offers.find(({ id }) => id === pending.provider)
      return { identities: await present(user.id), providers: offers, ...(connectable && { connectable }) }
    },
  })
  app.sweeper.add({
    table: spentStarts,
    isExpired: () => sql`${spentStarts.expiresAt} < now() - interval '1 hour'`, // a margin for clock differences
  })

  const shared = { ...options, clients }
  app.register(signInRoutes, shared)
  app.register(signUpRoutes, shared)
  app.register(identityRoutes, shared)
}
