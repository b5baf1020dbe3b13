import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { refererOf } from '../../plugins/security/return-path.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import type { Session } from '../auth/reauthentication/index.ts'
import { checkedRoute, formRoute, profileChecksBudget } from '../forms.ts'
import { paths } from '../paths.ts'

const LanguageBody = Type.Object({ language: OptionalText })
const fourHundredDaysSeconds = 34_560_000

export const languages: FastifyPluginAsyncTypebox = async (app) => {
  const backOf = (request: FastifyRequest) => refererOf(request, app.site.origin) ?? paths.home().url
  const choice = { ...formRoute(backOf, 'language', { body: LanguageBody }), onRequest: app.loadAuth }
  app.post(paths.chooseLanguage().url, choice, async (request, reply) => {
    const back = backOf(request)
    if (request.body.language === undefined) return reply.redirect(back)
    const language = check(request, request.body.language)
    if (request.auth) await saveLanguage(app.db, request.signedIn.session, language)
    return setLanguageCookie(reply, language).redirect(back)
  })

  const form = paths.appearance().url
  app.get(form, { onRequest: app.requireUser }, (request, reply) =>
    reply.page('settings/appearance', { language: request.signedIn.user.language }),
  )

  const changing = checkedRoute(form, profileChecksBudget, { body: LanguageBody })
  app.patch(paths.changeAppearance().url, { ...changing, onRequest: app.requireUser }, async (request, reply) => {
    const language = check(request, request.body.language)
    if (request.precognitive) return reply.valid()
    if (request.body.language === undefined) return reply.redirect(form)
    await saveLanguage(app.db, request.signedIn.session, language)
    return setLanguageCookie(reply, language).notice(text('Settings saved')).redirect(form)
  })
}

/** The chosen language, or null for what the browser asks for. Throws Invalid if there is no such language. */
function check({ server }: FastifyRequest, language: string | null | undefined) {
  if (!language) return null
  if (!server.languages.has(language)) throw new Invalid({ language: [text('is not included in the list')] })
  return language
}

function saveLanguage(db: Database, { userId, token }: Session, language: string | null) {
  const changes = and(eq(users.id, userId), sql`${users.language} is distinct from ${language}`)
  return sessionTransaction(db, token, (tx) => tx.update(users).set({ language }).where(changes))
}

/** Also for the pages after a sign-out. */
function setLanguageCookie(reply: FastifyReply, language: string | null) {
  return language === null
    ? reply.clearCookie('language')
    : reply.setHostCookie('language', language, { maxAge: fourHundredDaysSeconds, httpOnly: false })
}
