import type { FastifyPluginAsync } from 'fastify'
import { accountsAskingForFactor } from '../../accounts/second-factor-requirement.ts'
import { identitiesOf, passkeysOf } from '../../auth/sign-in-methods.ts'
import { countTrustedBrowsers } from '../../auth/trusted-browsers.ts'
import { presentPasskey } from '../../passkeys/props.ts'
import { paths } from '../../paths.ts'
import { pendingIdentityOf } from '../../providers/pending-identity.ts'
import { presentIdentity } from '../../providers/props.ts'
import { showSecondFactor } from '../../second-factor/routes/security.ts'

/** What signs people in besides their password. */
export const securityRoutes: FastifyPluginAsync<{ appName: string }> = async (app, { appName }) => {
  const { db, providers } = app

  app.get(paths.security().url, { config: { reauthenticates: true } }, async (request, reply) => {
    const { user } = request.signedIn
    const pending = pendingIdentityOf(request, user)
    const connectable = pending && providers.find(({ id }) => id === pending.provider)
    return reply.page('settings/security', {
      second_factor: await showSecondFactor(request, reply, appName),
      passkeys: (await passkeysOf(db, user.id)).map(presentPasskey),
      identities: (await identitiesOf(db, user.id)).map(presentIdentity),
      providers,
      trusted_browsers: await countTrustedBrowsers(db, user.id, app.now()),
      ...(connectable && { connectable }),
      required_by: await accountsAskingForFactor(db, user.id),
    })
  })
}
