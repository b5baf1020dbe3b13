import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { spentStarts } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice } from '../auth/notices.ts'
import { paths } from '../paths.ts'
import { providerClient } from './clients/index.ts'
import type { ProviderConfig } from './configuration.ts'
import { identityRoutes } from './routes/identities.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'

type Options = { providers: ProviderConfig[]; demoEmail?: string | undefined; fetch?: typeof globalThis.fetch }

export const providers: FastifyPluginAsync<Options> = async (app, options) => {
  const { fetch = globalThis.fetch, demoEmail } = options
  const clients = new Map(
    options.providers.map((provider) => {
      const redirectUri = app.site.origin + paths.providerCallback(provider.id).url
      return [provider.id, providerClient(provider, { fetch, redirectUri })]
    }),
  )
  defineMails(app)
  app.sweeper.add({
    table: spentStarts,
    isExpired: () => sql`${spentStarts.expiresAt} < now() - interval '1 hour'`, // a margin for clock differences
  })

  app.register(signInRoutes, { clients })
  app.register(signUpRoutes, { clients })
  app.register(identityRoutes, { clients, demoEmail })
}

const advice = [
  text(
    `If this wasn't you, someone else was signed in as you. End all other sessions, and check your connected accounts.`,
  ),
]

function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'identity_connected', ({ details }) => {
    const provider = String(details.provider_name)
    return {
      subject: text('{provider} was connected', { provider }),
      paragraphs: [
        text('Anyone who can sign in to your {provider} account can now sign in to {appName} as you.', {
          provider,
          appName,
        }),
      ],
      advice,
    }
  })
  defineNotice(app, 'identity_disconnected', ({ details }) => ({
    subject: text('{provider} was disconnected', { provider: String(details.provider_name) }),
    paragraphs: [text('It can no longer be used to sign in to {appName} as you.', { appName })],
    advice,
  }))
}
