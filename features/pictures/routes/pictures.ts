import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Denied } from '../../../plugins/forms/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { budget } from '../../../plugins/security/limits/index.ts'
import { accountRoute, actorOf, belowAccount, changeBudget, formAt, manages, memberOf } from '../../accounts/index.ts'
import { paths } from '../../paths.ts'
import type { Decoder } from '../decoder.ts'
import { changeAccountPicture, changePicture } from '../pictures.ts'
import { addPictureRoutes } from '../upload.ts'

type Options = { decoder: Decoder }

/** One's own picture. */
export const ownPictureRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { decoder }) => {
  app.addHook('onRequest', app.requireUser)
  addPictureRoutes(app, decoder, {
    url: paths.changePicture().url,
    form: () => paths.profile().url,
    removalBudget: budget('profile_change'),
    change: (request, picture) => changePicture(app.db, request.signedIn.session, picture),
    updated: text('Your picture has been updated'),
    removed: text('Your picture has been removed'),
  })
}

/** The picture of an account, for managers. */
export const accountPictureRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { decoder }) => {
  belowAccount(app)
  app.addHook('onRequest', requireManager)
  addPictureRoutes(app, decoder, {
    url: `${accountRoute}/picture`,
    form: formAt(paths.accountSettings),
    removalBudget: changeBudget,
    change: (request, picture) => changeAccountPicture(app.db, actorOf(request), picture),
    updated: text('Picture updated'),
    removed: text('Picture removed'),
  })
}

/** Refuse before reading the upload. */
async function requireManager(request: FastifyRequest) {
  if (!manages(memberOf(request).role)) throw new Denied()
}
