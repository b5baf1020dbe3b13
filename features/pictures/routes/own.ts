import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { paths } from '../../paths.ts'
import type { Decoder } from '../decoder.ts'
import { changePicture } from '../pictures.ts'
import { acceptPicture, checkPicture, PictureBody } from '../upload.ts'

/** One's own picture. */
export const ownPictureRoutes: FastifyPluginAsyncTypebox<{ decoder: Decoder }> = async (app, { decoder }) => {
  const form = paths.profile().url
  app.addHook('onRequest', app.requireUser)
  const { config: limits, preParsing } = acceptPicture(app, decoder)

  const upload = { schema: { body: PictureBody }, config: { form, ...limits }, preParsing }
  app.put(paths.changePicture().url, upload, async (request, reply) => {
    const bytes = await checkPicture(decoder, request.body)

    await changePicture(app.db, request.signedIn.session, bytes)
    return reply.notice(text('Your picture has been updated')).redirect(form)
  })

  const config = { form, rateLimit: budget('profile_change') }
  app.delete(paths.removePicture().url, { config }, async (request, reply) => {
    await changePicture(app.db, request.signedIn.session, null)
    return reply.notice(text('Your picture has been removed')).redirect(form)
  })
}
