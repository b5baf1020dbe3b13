import { pictures as stored } from '../../drizzle/tables/pictures.ts'
import './activities.ts'
import './limits.ts'
import './rights.ts'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { served } from '../../plugins/composition.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { clientSignal } from '../../plugins/http/request.ts'
import { acceptUpload } from '../../plugins/http/uploads.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { budget, clientKey, take } from '../../plugins/security/limits/index.ts'
import {
  accountRoute,
  actorOf,
  belowAccount,
  changeBudget,
  formAt,
  listsChanged,
  requireRight,
} from '../accounts/index.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { createDecoder, type Decoder } from './decoder.ts'
import { picturesPaths } from './paths.ts'
import { changeAccountPicture, changePicture, type NewPicture, pictureAsUrl } from './pictures.ts'

export async function pictures(app: FastifyInstance) {
  app.registeredOptions.add('pictures')
  app.firstSteps.add({ id: 'picture', rank: 2, isToDo: sql`person.picture is null` })
  app.exportParts.set('picture', (userId) => pictureAsUrl(app.db, userId))
  app.endings.add({
    name: 'pictures',
    on: {
      async userClaimed(tx, { userId }) {
        await tx.delete(stored).where(eq(stored.userId, userId))
      },
    },
  })
  const decoder = createDecoder({ warn: (about, message) => app.log.warn(about, message) })
  app.addHook('onClose', decoder.stop)

  app.register(async (profile) => {
    profile.addHook('onRequest', app.requireUser)
    addPictureRoutes(profile, decoder, {
      url: picturesPaths.changePicture().url,
      form: () => paths.profile().url,
      removalBudget: budget('profile_change'),
      change: (request, picture) => changePicture(app.db, request.signedIn.session, picture),
      updated: text('Your picture has been updated'),
      removed: text('Your picture has been removed'),
    })
  })

  app.register(async (account) => {
    belowAccount(account)
    // Refuse before reading the upload.
    account.addHook('onRequest', requireRight('workspace.picture'))
    addPictureRoutes(account, decoder, {
      url: `${accountRoute}/picture`,
      form: formAt(paths.accountSettings),
      removalBudget: changeBudget,
      async change(request, picture, reply) {
        await changeAccountPicture(app, actorOf(request), picture)
        reply.flash(listsChanged)
      },
      updated: text('Picture updated'),
      removed: text('Picture removed'),
    })
  })
}

const PictureParams = Type.Object({ key: Type.String() })
const isKey = /^[\w-]{22}$/
const headers = {
  'content-type': 'image/webp',
  'cache-control': 'public, max-age=31536000, immutable',
  // A picture that is opened as a page may load and run nothing.
  'content-security-policy': "default-src 'none'; sandbox",
}

export const servePictures: FastifyPluginAsyncTypebox = async (app) => {
  served.picture = (key) => picturesPaths.picture(key).url
  const find = app.db
    .select({ bytes: stored.bytes })
    .from(stored)
    .where(eq(stored.key, sql.placeholder('key')))
    .prepare(app.db.statement('find_picture'))

  app.get(picturesPaths.picture(':key').url, { schema: { params: PictureParams } }, async (request, reply) => {
    const { key } = request.params
    const [picture] = isKey.test(key) ? await find.execute({ key }) : []
    if (!picture) throw new NotFound()
    return reply.headers(headers).send(picture.bytes)
  })
}

const maxFileBytes = 8_000_000
const maxBodyBytes = 8_388_608 + 65_536 // a longer one is not read to say that the file is too large

/** Anything but a file counts as blank. */
const PictureBody = Type.Object({ picture: Type.Optional(Type.Unknown()) })

const messages = {
  blank: text("can't be blank"),
  large: text('is too large (maximum is 8 MB)'),
  unreadable: text('is not a picture we can read'),
  too_many_pixels: text('has too many pixels'),
}

type Routes = {
  url: string
  form(request: FastifyRequest): string
  removalBudget: ReturnType<typeof budget>
  change(request: FastifyRequest, picture: NewPicture, reply: FastifyReply): Promise<void>
  updated: Text
  removed: Text
}

function addPictureRoutes(app: FastifyInstance, decoder: Decoder, routes: Routes) {
  const { url, form, removalBudget, change, updated, removed } = routes
  acceptUpload(app, { field: 'picture', maxBodyBytes })
  const upload = {
    ...formRoute(form, 'picture', { body: PictureBody }),
    onRequest: async (request: FastifyRequest) => {
      decoder.rejectIfQueueFull(request.signedIn.user.id)
      await take(app.db, 'picture_client', clientKey(request))
    },
  }
  app.put<{ Body: { picture?: unknown } }>(url, upload, async (request, reply) => {
    const picture = await checkPicture(decoder, request, clientSignal(reply))
    await change(request, picture, reply)
    return reply.notice(updated).redirect(form(request))
  })
  app.delete(url, formRoute(form, removalBudget), async (request, reply) => {
    await change(request, null, reply)
    return reply.notice(removed).redirect(form(request))
  })
}

type Upload = FastifyRequest<{ Body: { picture?: unknown } }>

async function checkPicture({ decode }: Decoder, { body: { picture }, signedIn }: Upload, client: AbortSignal) {
  if (!Buffer.isBuffer(picture) || picture.length === 0) throw refusal('blank')
  if (picture.length > maxFileBytes) throw refusal('large')
  const decoded = await decode(picture, signedIn.user.id, client)
  if (typeof decoded === 'string') throw refusal(decoded)
  return Buffer.from(decoded.bytes)
}

const refusal = (reason: keyof typeof messages) => new Invalid({ picture: [messages[reason]] })
