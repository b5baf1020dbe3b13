import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import './limits.ts'
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { User } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { plainDigits } from '../../plugins/languages/digits.ts'
import { text } from '../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/index.ts'
import { uncount } from '../../plugins/security/limits/index.ts'
import { deviceOf, isKnown, visitorOf } from '../auth/device.ts'
import { askForSecondFactor } from '../auth/pending-sign-in.ts'
import { completeSignIn, contextFields, contextIn, findForGuess, startWithOneFactor } from '../auth/sign-in.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { consumeCode, isReplaced, requestCode, tryCode } from './codes.ts'
import { endUnproved } from './first-proof.ts'
import { defineMails } from './mails.ts'
import { mailCodesPaths } from './paths.ts'
import { clearPendingCode, pendingCodeOf, setPendingCode } from './pending-code.ts'
import { mailCodeEnding, mailCodeMethod } from './ways-in.ts'

/** For people who want no password, and those who forgot theirs: a code by mail, for the browser that asked for it. */
export const codesByMail: FastifyPluginAsync<{ demoEmail: string | undefined }> = async (app, { demoEmail }) => {
  app.registeredOptions.add('mail-codes')
  app.signInMethods.add(mailCodeMethod(demoEmail))
  app.endings.add(mailCodeEnding)
  app.addProps('auth/sign-in', () => ({ mail_codes: true as const }))
  defineMails(app, demoEmail)
  app.sweeper.add({ table: mailCodes, isExpired: () => sql`${mailCodes.expiresAt} < ${app.now().toISOString()}` })
  app.register(routes)
}

const maxReplaced = 10 // as many as a mailbox gets in a day
const maxTyped = 100 // characters, of a code with whatever was pasted around it
const RequestBody = Type.Object({ email: Type.Optional(Type.Unknown()), ...contextFields })

const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireGuest)

  const requesting = formRoute(paths.signInPage().url, 'mail_code', { body: RequestBody })
  app.post(mailCodesPaths.requestMailCode().url, requesting, async (request, reply) => {
    const typed = typeof request.body.email === 'string' ? normalizeEmail(request.body.email) : ''
    const email = isEmailAddress(typed) ? typed : '' // nobody has this one, which nothing else shows
    const id = randomUUID()
    const before = pendingCodeOf(request)
    await requestCode(app, { id, email, before: before?.id, device: deviceOf(request) })
    request.security('mail_code', 'requested')
    const replaced = before && [before.id, ...(before.replaced ?? [])].slice(0, maxReplaced)
    return setPendingCode(reply, { id, email, ...(replaced && { replaced }), ...contextIn(request) }).redirect(
      mailCodesPaths.mailCode().url,
    )
  })

  app.get(mailCodesPaths.mailCode().url, (request, reply) => {
    const pending = pendingCodeOf(request)
    return pending ? reply.page('auth/code', { email: pending.email }) : reply.redirect(paths.signInPage().url)
  })

  const verifying = formRoute(mailCodesPaths.mailCode().url, 'mail_code_verification', {
    body: Type.Object({ code: OptionalText }),
  })
  app.post(mailCodesPaths.verifyMailCode().url, verifying, async (request, reply) => {
    const pending = pendingCodeOf(request)
    if (!pending) return reply.redirect(paths.signInPage().url)

    const { id, email, replaced = [], ...context } = pending
    const code = plainDigits((request.body.code ?? '').slice(0, maxTyped))
    if (isReplaced(app, replaced, code)) throw new Invalid({ code: [text('is an older one. Use the newest mail')] })
    const { user, counted } = await findForGuess(app.db, email, deviceOf(request))
    const outcome = await tryCode(app, id, code)
    if (outcome === 'right' && user) {
      const { started, isConsumed } = await signIn(request, id, user)
      if (started) return completeSignIn(clearPendingCode(reply), started, context)
      if (isConsumed) {
        await app.db.afterCommit(() => uncount(app.db, counted))
        return askForSecondFactor(clearPendingCode(reply), user, { ...context, method: 'email_code' })
      }
    }
    request.security('mail_code', outcome === 'wrong' ? 'wrong' : 'stale', { user: user?.id })
    if (outcome === 'wrong') throw new Invalid({ code: [text('is invalid')] })
    const { invitation, returnTo } = context
    return clearPendingCode(reply)
      .alert(text('That code has expired. Ask for a new one'))
      .redirect(paths.signInPage(invitation, returnTo).url)
  })

  /** Starts a session, unless a second factor is needed. The code is used up either way, if it was theirs. */
  async function signIn(request: FastifyRequest, id: string, { id: userId }: User) {
    let isConsumed = false
    const started = await startWithOneFactor(app, userId, {
      factors: { firstFactor: 'email_code' },
      visitor: visitorOf(request),
      lock: 'update', // since the code proves the address, and may remove whatever was added before
      async holds(tx: Tx, user: User) {
        isConsumed = await consumeCode(app, tx, id, user)
        // Whoever signed in here before has the mailbox, too.
        const isFirstProof = user.provedEmail !== user.email && !isKnown(deviceOf(request), user)
        return isConsumed && isFirstProof ? endUnproved(app, tx, user) : isConsumed
      },
    })
    return { started, isConsumed }
  }
}
