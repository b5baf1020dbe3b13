import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { spentStarts } from '../../drizzle/schema.ts'
import { paths } from '../paths.ts'
import { clientOf } from './clients/index.ts'
import type { ProviderConfig } from './configuration.ts'
import { defineMails } from './mails.ts'
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
  defineMails(app, options)
  app.sweeper.add({
    table: spentStarts,
    isExpired: () => sql`${spentStarts.expiresAt} < now() - interval '1 hour'`, // a margin for clock differences
  })

  const shared = { ...options, clients }
  app.register(signInRoutes, shared)
  app.register(signUpRoutes, shared)
  app.register(identityRoutes, shared)
}
