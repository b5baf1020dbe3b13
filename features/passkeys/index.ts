import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { spentChallenges } from '../../drizzle/schema.ts'
import { optional } from '../../plugins/inertia/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import type { Keys } from '../../plugins/security/keys.ts'
import { createChallenges } from './challenges.ts'
import { defineMails } from './mails.ts'
import { hasPasskey, isWorthOffering, passkeysOf, removePasskeys } from './passkeys.ts'
import { presentPasskey } from './props.ts'
import { byPasskey } from './reauthentication.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { asSecondFactor, signInRoutes } from './routes/sign-in.ts'

type Options = { origin: string; appName: string; keys: Keys }

/** Sign-in with passkeys, which cover both factors in one step (WebAuthn level 3). */
export const passkeys: FastifyPluginAsync<Options> = async (app, { origin, appName, keys }) => {
  defineMails(app, { appName })
  const present = async (userId: number) => (await passkeysOf(app.db, userId)).map(presentPasskey)
  app.dataExport.add('passkeys', present)
  const party = { id: new URL(origin).hostname, name: appName, origin, challenges: createChallenges(keys, app.now) }
  app.signInMethods.add({
    remove: (tx, user, before) => removePasskeys(app, tx, user, before),
    left: async (db, userId) => (await passkeysOf(db, userId)).map(describe),
    present: async (request) => ({ passkeys: await present(request.signedIn.user.id) }),
    sufficient: async (db, userId) => (await passkeysOf(db, userId)).length,
    factor: asSecondFactor(party),
  })
  app.sweeper.add({
    table: spentChallenges,
    isExpired: () => sql`${spentChallenges.expiresAt} < now() - interval '1 hour'`, // a margin for clock differences
  })
  app.reauthenticateBy(byPasskey(app, party))
  app.share(
    'has_passkey',
    async ({ auth, routeOptions }) =>
      (auth && routeOptions.config.reauthenticates && (await hasPasskey(app.db, auth.user.id))) || undefined,
  )
  app.share('offer_passkey', ({ auth }) => (auth ? optional(() => isWorthOffering(app.db, auth)) : undefined))
  app.register(signInRoutes, { party })
  app.register(passkeyRoutes, { party })
}

function describe(passkey: { name: string }) {
  const name = nameInMail(passkey.name)
  return name ? text('the passkey “{name}”', { name }) : text('a passkey')
}
