import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { spentStarts } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { defineNotice, type NoticeIds } from '../auth/notices.ts'
import { providerName } from '../auth/sign-in-methods.ts'
import { paths } from '../paths.ts'
import { clientOf } from './clients/index.ts'
import type { ProviderConfig } from './configuration.ts'
import { identityRoutes } from './routes/identities.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    identity_connected: NoticeIds & { provider: string }
    identity_disconnected: NoticeIds & { provider: string }
  }
}

type Options = {
  providers: ProviderConfig[]
  origin: string
  appName: string
  invitationOnly: boolean
  demoEmail?: string | undefined
  fetch?: typeof globalThis.fetch
}

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

const advice = [
  text(
    `If this wasn't you, someone else was signed in as you. End all other sessions, and check your connected accounts.`,
  ),
]

function defineMails(app: FastifyInstance, { appName }: { appName: string }) {
  defineNotice(app, 'identity_connected', ({ provider: id }) => {
    const provider = providerName(app, id)
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
  defineNotice(app, 'identity_disconnected', ({ provider }) => ({
    subject: text('{provider} was disconnected', { provider: providerName(app, provider) }),
    paragraphs: [text('It can no longer be used to sign in to {appName} as you.', { appName })],
    advice,
  }))
}
