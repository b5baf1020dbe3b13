import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Invalid } from '../../plugins/forms/index.ts'
import { Field } from '../../plugins/forms/parameters.ts'
import { refererOf } from '../../plugins/http/own-path.ts'
import { text } from '../../plugins/languages/index.ts'
import { budget } from '../../plugins/security/limits/index.ts'
import { sessionOf } from '../auth/requests.ts'
import { paths } from '../paths.ts'
import { saveLanguage } from './choice.ts'

const LanguageBody = Type.Object({ language: Field })
const fourHundredDays = 34_560_000 // seconds

/** The language that a person or a browser chooses. */
export const languages: FastifyPluginAsyncTypebox<{ origin: string }> = async (app, { origin }) => {
  await app.register(chosenByPeople)

  const config = { rateLimit: budget('language') }
  app.route({
    method: 'POST',
    url: paths.chooseLanguage().url,
    schema: { body: LanguageBody },
    config,
    onRequest: app.loadAuth,
    async handler(request, reply) {
      const language = check(request, request.body.language)
      if (request.auth) await saveLanguage(app.db, sessionOf(request), language)
      return remember(reply, language).redirect(refererOf(request, origin) ?? paths.home().url)
    },
  })
}

const chosenByPeople: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('onRequest', app.requireUser)
  const form = paths.appearance().url
  app.get(form, (request, reply) =>
    reply.page('settings/appearance', { language: request.auth?.user.language ?? null }),
  )

  app.route({
    method: ['PATCH', 'PUT'],
    url: paths.changeAppearance().url,
    schema: { body: LanguageBody },
    config: { form, rateLimit: budget('profile_change') },
    async handler(request, reply) {
      if (request.body.language === undefined) return reply.redirect(form)
      const language = check(request, request.body.language)
      await saveLanguage(app.db, sessionOf(request), language)
      return remember(reply, language).notice(text('Settings saved')).redirect(form)
    },
  })
}

/** The chosen language, or null for what the browser asks for. Throws Invalid if there is no such language. */
function check({ server }: FastifyRequest, given: string | null | undefined) {
  if (!given) return null
  if (!server.languages.has(given)) throw new Invalid({ language: [text('is not included in the list')] })
  return given
}

/** The pages of this browser speak the language after a sign-out as well. */
function remember(reply: FastifyReply, language: string | null) {
  return language === null
    ? reply.clearCookie('language')
    : reply.setHostCookie('language', language, { maxAge: fourHundredDays, httpOnly: false })
}
