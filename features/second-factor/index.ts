import { lt } from 'drizzle-orm'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { trustedBrowsers } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { chooseNewPassword, defineNotice } from '../auth/notices.ts'
import { countRecoveryCodes } from '../auth/sign-in-methods.ts'
import { securityRoutes } from './routes/security.ts'
import { verifyRoutes } from './routes/verify.ts'

/** Two-factor authentication: codes from an authenticator app, and recovery codes in case it is lost. */
export const secondFactor: FastifyPluginAsync = async (app) => {
  defineMails(app)
  app.sweeper.add({ table: trustedBrowsers, isExpired: () => lt(trustedBrowsers.expiresAt, app.now()) })
  app.register(securityRoutes)
  app.register(verifyRoutes)
}

const advice = [text("If this wasn't you, someone knows your password. Change it right away.")]

function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  defineNotice(app, 'second_factor_enabled', () => ({
    subject: text('Two-factor authentication is on'),
    paragraphs: [
      text(
        `From now on, signing in to {appName} with your password also takes a code from your authenticator app. All
          other devices have been signed out.`,
        { appName },
      ),
      text('Keep your recovery codes in a safe place: without your phone, they are your way in.'),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_disabled', () => ({
    subject: text('Two-factor authentication is off'),
    paragraphs: [
      text(`From now on, your password alone is enough to sign in to {appName}. Your recovery codes no longer work.`, {
        appName,
      }),
    ],
    advice,
  }))
  defineNotice(app, 'second_factor_locked', () => ({
    subject: text('Somebody knows your password'),
    paragraphs: [
      text(
        `Someone entered your password on {appName}, then ten wrong codes in a row. They did not get in. Codes from
          your authenticator app are blocked for a while; a recovery code or a passkey still signs you in.`,
        { appName },
      ),
    ],
    advice: [text('Change your password now, here and anywhere else you use it.'), ...advice],
    action: chooseNewPassword,
  }))
  defineNotice(app, 'recovery_code_used', async ({ userId }) => ({
    subject: text('A recovery code was used'),
    paragraphs: [
      text('Someone signed in to {appName} with your password and one of your recovery codes.', { appName }),
      countOf(await countRecoveryCodes(app.db, userId)),
    ],
    advice,
  }))
}

function countOf(left: number) {
  if (left === 0) return text('You have none left. Create new ones.')
  return left === 1 ? text('You have one left.') : text('You have {count} left.', { count: left })
}
