import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { users } from '../../../drizzle/schema.ts'
import { assertValid } from '../../../plugins/forms/index.ts'
import { LinkToken, OptionalText, onlyToken } from '../../../plugins/forms/parameters.ts'
import { isPrefetch } from '../../../plugins/inertia/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { digestOf } from '../../../plugins/security/digests.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { refererOf } from '../../../plugins/security/return-path.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { newPasswordMessages } from '../../auth/checks.ts'
import { clientWithDevice } from '../../auth/device.ts'
import { beginWithPassword, continueSignIn } from '../../auth/sign-in.ts'
import { queueVerification } from '../../auth/sign-up.ts'
import { formRoute } from '../../forms.ts'
import { paths } from '../../paths.ts'
import {
  changeOf,
  disputedUser,
  type EmailChange,
  removeUnverifiedUser,
  undoChange,
  userOfLink,
  verifyEmail,
} from '../links.ts'

declare module '../../../plugins/forms/flash.ts' {
  interface FlashState {
    /** The address that a link has just verified, for the sign-in form. */
    verifiedEmail?: string
  }
}

const LinkFields = Type.Object({ sid: LinkToken })
const RestoringBody = Type.Object({ sid: LinkToken, password: OptionalText, password_confirmation: OptionalText })

/** Links in mails about an address: it is verified, given back, or somebody else's. */
export const addressRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const looking = {
    schema: { querystring: LinkFields },
    config: { noindex: true },
    onRequest: app.loadAuth,
  } as const
  app.get(paths.verifyEmail().url, looking, async (request, reply) => {
    // Mail scanners and prefetching browsers must not use up the link. The error makes browsers discard the prefetched
    // page.
    if (request.method === 'HEAD') return reply.send()
    if (isPrefetch(request)) return reply.code(503).send()

    const user = await userOfLink(app, 'email_verification', onlyToken(request.query.sid))
    if (!user || !(await verifyEmail(app, user, request.auth?.user.id))) {
      return reply.alert(text('That email verification link is invalid')).redirect(paths.email().url)
    }
    return reply
      .notice(text('Thank you for verifying your email address'))
      .flash({ verifiedEmail: user.email })
      .redirect(paths.home().url)
  })

  const resend = { onRequest: app.requireUser, config: { rateLimit: budget('email_verification') } }
  app.post(paths.resendVerification().url, resend, async (request, reply) => {
    const { user, session } = request.signedIn
    if (!user.verified) await sessionTransaction(app.db, session.token, (tx) => queueVerification(app, tx, user))
    return reply
      .notice(text('We sent a verification email to your email address'))
      .redirect(refererOf(request, app.site.origin) ?? paths.home().url)
  })

  // Those below need no session. Opening a link changes nothing, since mail scanners open links, too.
  app.get(paths.emailChange().url, looking, async (request, reply) => {
    const sid = onlyToken(request.query.sid)
    const change = await changeOf(app, sid)
    if (!change) return refuseLink('email_change', request, reply)
    return reply.page('identity/email-change', { sid, email: change.previousEmail })
  })

  const restoring = formRoute(restoringPageOf, 'email_restoration', { body: RestoringBody })
  app.post(paths.undoEmailChange().url, { ...restoring, onRequest: app.loadAuth }, async (request, reply) => {
    const { sid, password } = request.body
    const change = await changeOf(app, onlyToken(sid))
    if (!change) return refuseLink('email_change', request, reply)
    const [person] = await app.db.select().from(users).where(eq(users.id, change.userId))
    if (password != null) {
      const named = { name: person?.name ?? '', email: change.previousEmail }
      assertValid(newPasswordMessages(app, request.body, named))
    }
    const passwordDigest = password == null ? undefined : await digestOf(password)
    if (!(await undoChange(app, change, passwordDigest))) return refuseLink('email_change', request, reply)
    request.security('email_change', 'undone', { user: change.userId })
    if (passwordDigest) return signInRestored(request, reply, change, passwordDigest)
    const isSomeoneElse = request.auth && request.auth.user.id !== change.userId
    return reply
      .notice(text('Your email has been restored. Choose a new password'))
      .redirect(isSomeoneElse ? paths.home().url : paths.signInPage().url)
  })

  app.get(paths.notMine().url, looking, async (request, reply) => {
    const sid = onlyToken(request.query.sid)
    const user = await disputedUser(app, sid)
    if (!user) return refuseLink('not_mine', request, reply)
    return reply.page('identity/not-mine', { sid, email: user.email })
  })

  const removing = formRoute(paths.home().url, 'not_mine', { body: LinkFields })
  app.post(paths.removeNotMine().url, removing, async (request, reply) => {
    const user = await disputedUser(app, onlyToken(request.body.sid))
    if (!user || !(await removeUnverifiedUser(app, user))) return refuseLink('not_mine', request, reply)
    request.security('not_mine', 'removed', { user: user.id })
    return reply.notice(text('The account has been removed')).redirect(paths.home().url)
  })
}

/** The second step is asked for where one is left. */
async function signInRestored(
  request: FastifyRequest,
  reply: FastifyReply,
  { userId: id, createdAt }: EmailChange,
  passwordDigest: string,
) {
  const { server: app, auth } = request
  const from = createdAt.toISOString().slice(0, 10)
  const [user] = await app.db.select().from(users).where(eq(users.id, id))
  const isTheirs = user?.passwordDigest === passwordDigest // or another link was used at the same moment
  if (!user || !isTheirs) return refuseLink('email_change', request, reply)
  const context = { returnTo: paths.activity({ from }).url } // with what was ended, and what happened since the change
  const begun = await beginWithPassword(app, user, clientWithDevice(request))
  if (!begun) return refuseLink('email_change', request, reply)
  if (begun.started && auth && auth.user.id !== id) reply.flash({ clearHistory: true })
  return continueSignIn(reply, begun, context, text('Your account is yours again'))
}

/** Where what was typed can be corrected: the link stays good. */
function restoringPageOf({ body }: FastifyRequest) {
  const { sid, password } = (body ?? {}) as { sid?: unknown; password?: unknown }
  return (password == null ? paths.signInPage() : paths.emailChange(onlyToken(sid))).url
}

function refuseLink(event: 'email_change' | 'not_mine', request: FastifyRequest, reply: FastifyReply) {
  request.security(event, 'bad_link')
  const to = event === 'email_change' ? paths.signInPage() : paths.home()
  return reply.alert(text('That link is invalid')).redirect(to.url)
}
