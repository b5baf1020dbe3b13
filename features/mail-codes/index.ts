import './activities.ts'
import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'drizzle-orm'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { plainDigits } from '../../plugins/languages/plain.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/index.ts'
import { defineLimit, uncount } from '../../plugins/security/limits/index.ts'
import { tries } from '../../plugins/security/limits/table.ts'
import { defineSecurityEvent } from '../../plugins/security/log.ts'
import { sealedCookie } from '../../plugins/security/sealed-cookie.ts'
import { clientWithDevice, deviceOf } from '../auth/device.ts'
import type { FirstFactor } from '../auth/factors.ts'
import { findForGuess } from '../auth/guesses.ts'
import { backToSignIn, beginSignIn, continueSignIn } from '../auth/sign-in.ts'
import { contextOfForm, contextOfQuery, formRoute, type SignInContext, signInFields } from '../forms.ts'
import { paths } from '../paths.ts'
import { isReplaced, requestCode, tryCode } from './codes.ts'
import { byMailCode, type MailCode, mailCodeEnding, mailCodeMethod } from './factor.ts'
import { defineMails } from './mails.ts'
import { mailCodesPaths } from './paths.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    mail_code: Limit
    mail_code_verification: Limit
    sign_in_code_mail: Limit
  }
}

defineLimit('mail_code', tries)
defineLimit('mail_code_verification', tries)
defineLimit('sign_in_code_mail', { each: 'mailbox', max: 10, windowSeconds: 86_400 })

const outcomes = ['requested', 'wrong', 'stale'] as const

declare module '../../plugins/security/log.ts' {
  interface SecurityEvents {
    mail_code: (typeof outcomes)[number]
  }
}

defineSecurityEvent('mail_code', [...outcomes])

/** For people who want no password, and those who forgot theirs: a code by mail, for the browser that asked for it. */
export const codesByMail: FastifyPluginAsync = async (app) => {
  app.registeredOptions.add('mail-codes')
  app.signInMethods.add(mailCodeMethod(app.site))
  app.endings.add(mailCodeEnding)
  app.addProps('auth/sign-in', () => ({ mail_codes: true as const }))
  defineMails(app)
  app.sweeper.add({ table: mailCodes, isExpired: () => sql`${mailCodes.expiresAt} < ${app.now().toISOString()}` })
  const factor = byMailCode(app)
  app.firstFactors.add(factor)
  app.register(routes, { factor })
}

/** What the browser keeps that asked for a code. The code works nowhere else. */
type PendingCode = SignInContext & {
  id: string
  /** Of the codes that this one replaced. */
  replaced?: string[]
  email: string
}

const anHourMs = 3_600_000 // so that somebody who comes late is told so

const pendingCode = sealedCookie<PendingCode>('mail_code', anHourMs)

const maxReplaced = 10 // as many as a mailbox gets in a day
const maxTyped = 100 // characters, of a code with whatever was pasted around it
const RequestBody = Type.Object({ email: Type.Optional(Type.Unknown()), ...signInFields })

const routes: FastifyPluginAsyncTypebox<{ factor: FirstFactor<MailCode> }> = async (app, { factor }) => {
  app.addHook('onRequest', app.requireGuest)

  app.get(mailCodesPaths.newMailCode().url, { schema: { querystring: Type.Object(signInFields) } }, (request, reply) =>
    reply.page('auth/new-code', contextOfQuery(request)),
  )

  const requesting = formRoute(paths.signInPage().url, 'mail_code', { body: RequestBody })
  app.post(mailCodesPaths.requestMailCode().url, requesting, async (request, reply) => {
    const typed = typeof request.body.email === 'string' ? normalizeEmail(request.body.email) : ''
    const email = isEmailAddress(typed) ? typed : '' // nobody has this one, which nothing else shows
    const id = randomUUID()
    const before = pendingCode.read(request)
    await requestCode(app, { id, email, before: before?.id, device: deviceOf(request) })
    request.security('mail_code', 'requested')
    const replaced = before && [before.id, ...(before.replaced ?? [])].slice(0, maxReplaced)
    return pendingCode
      .set(reply, { id, email, ...(replaced && { replaced }), ...contextOfForm(request) })
      .redirect(mailCodesPaths.mailCode().url)
  })

  app.get(mailCodesPaths.mailCode().url, (request, reply) => {
    const pending = pendingCode.read(request)
    return pending ? reply.page('auth/code', { email: pending.email }) : reply.redirect(paths.signInPage().url)
  })

  const verifying = formRoute(mailCodesPaths.mailCode().url, 'mail_code_verification', {
    body: Type.Object({ code: OptionalText }),
  })
  app.post(mailCodesPaths.verifyMailCode().url, verifying, async (request, reply) => {
    const pending = pendingCode.read(request)
    if (!pending) return reply.redirect(paths.signInPage().url)

    const { id, email, replaced = [], ...context } = pending
    const code = plainDigits((request.body.code ?? '').slice(0, maxTyped))
    if (isReplaced(app, replaced, code)) throw new Invalid({ code: [text('is an older one. Use the newest mail')] })
    const { user, counted } = await findForGuess(app.db, email, deviceOf(request))
    const outcome = await tryCode(app, id, code)
    if (outcome === 'right' && user) {
      const client = clientWithDevice(request)
      const begun = await beginSignIn(app, user.id, { client, factor, proof: { id, device: client.device } })
      if (begun) {
        if (!begun.started) await app.db.tryOrReport(() => uncount(app.db, counted))
        return continueSignIn(pendingCode.clear(reply), begun, context)
      }
    }
    request.security('mail_code', outcome === 'wrong' ? 'wrong' : 'stale', { user: user?.id })
    if (outcome === 'wrong') throw new Invalid({ code: [text('is invalid')] })
    return backToSignIn(pendingCode.clear(reply), text('That code has expired. Ask for a new one'), context)
  })
}
