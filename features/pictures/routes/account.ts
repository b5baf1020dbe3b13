import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Denied } from '../../../plugins/forms/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import {
  AccountParams,
  accountRoute,
  actorOf,
  belowAccount,
  changeBudget,
  formAt,
  manages,
  memberOf,
} from '../../accounts/index.ts'
import { paths } from '../../paths.ts'
import type { Decoder } from '../decoder.ts'
import { changeAccountPicture } from '../pictures.ts'
import { acceptPicture, checkPicture, PictureBody } from '../upload.ts'

/** The picture of an account, for managers. */
export const accountPictureRoutes: FastifyPluginAsyncTypebox<{ decoder: Decoder }> = async (app, { decoder }) => {
  const url = `${accountRoute}/picture`
  const form = formAt(paths.accountSettings)
  belowAccount(app)
  app.addHook('onRequest', requireManager)
  const { config: limits, preParsing } = acceptPicture(app, decoder)

  const upload = {
    schema: { params: AccountParams, body: PictureBody },
    config: { form, ...limits },
    preParsing,
  }
  app.put(url, upload, async (request, reply) => {
    const bytes = await checkPicture(decoder, request.body)

    await changeAccountPicture(app.db, actorOf(request), bytes)
    return reply.notice(text('Picture updated')).redirect(form(request))
  })

  const config = { form, rateLimit: changeBudget }
  app.delete(url, { schema: { params: AccountParams }, config }, async (request, reply) => {
    await changeAccountPicture(app.db, actorOf(request), null)
    return reply.notice(text('Picture removed')).redirect(form(request))
  })
}

/** Before a body is read in vain. */
async function requireManager(request: FastifyRequest) {
  if (!manages(memberOf(request).role)) throw new Denied()
}
