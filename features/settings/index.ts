import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { Type } from 'typebox'
import { activities, sessions } from '../../drizzle/schema.ts'
import { ChallengeBody, Cursor } from '../../plugins/forms/parameters.ts'
import { fileRoute, sendFile } from '../../plugins/http/files.ts'
import { paged, rowsOf } from '../../plugins/lists.ts'
import { ownCsvOf, sendActivity } from '../activity/csv.ts'
import { filterFields } from '../activity/filters.ts'
import { activityPage, wantedIn } from '../activity/lists.ts'
import { presentOwnActivity } from '../activity/props.ts'
import { presentSession } from '../auth/props.ts'
import { reauthenticateSession } from '../auth/reauthentication/index.ts'
import { sessionsOf, sessionsWithSignIns } from '../auth/sessions.ts'
import { sweepUsers } from '../auth/user-deletion.ts'
import { formRoute } from '../forms.ts'
import { paths } from '../paths.ts'
import { type ExportPart, exportOf } from './exports.ts'
import { defineMails } from './mails.ts'
import { changeRoutes } from './routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What features add to the export of a person's data, by name (docs/guide.md). */
    exportParts: Map<string, ExportPart>
  }
}

export const settings = fp(
  async (app) => {
    app.decorate('exportParts', new Map<string, ExportPart>())
    defineMails(app)
    sweepUsers(app)
    app.register(routes)
  },
  { name: 'settings', dependencies: ['activity', 'inertia', 'session'] },
)

const routes: FastifyPluginAsync = async (app) => {
  app.addHook('onRequest', app.requireUser)

  app.get(paths.settings().url, (_request, reply) => reply.redirect(paths.profile().url))
  app.register(changeRoutes)
  app.register(overviewRoutes)
}

const anHourMs = 3_600_000

/** What was just ended as the address was taken back. */
async function restoredIn(request: FastifyRequest) {
  const { server: app, signedIn } = request
  const since = new Date(app.now().getTime() - anHourMs)
  const ofUser = and(eq(activities.userId, signedIn.user.id), gt(activities.createdAt, since))
  const wasRestored = and(ofUser, eq(activities.type, 'email_changed'), sql`${activities.details} ? 'ways'`)
  const [restored] = await app.db.select({ details: activities.details }).from(activities).where(wasRestored).limit(1)
  if (!restored) return {}
  const { since: at, ways } = restored.details as { since: string; ways: string[] }
  const titles = [...app.signInMethods].flatMap(({ name, title }) => (title && ways.includes(name) ? [title] : []))
  return { restored: { since: at, ended: titles.map((title) => request.translate(title)) } }
}

/** Start time (in milliseconds) and token of the last session on the previous page. */
const SessionsQuery = Type.Object({
  before: Type.Optional(Type.String({ pattern: '^\\d{1,13}\\.[\\w-]{1,64}$' })),
})
const ActivityQuery = Type.Object({
  before: Cursor,
  kind: Type.Optional(Type.Enum(['sign_ins', 'security', 'accounts'])),
  ...filterFields,
})

const overviewRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, providers } = app
  const config = { reauthenticates: true } as const

  app.get(paths.security().url, { config }, (_request, reply) => reply.page('settings/security', {}))

  app.get(paths.sessions().url, { schema: { querystring: SessionsQuery }, config }, async (request, reply) => {
    const { before } = request.query
    const { page, next } = await sessionsOf(app, request.signedIn.user.id, before)
    return reply.page('settings/sessions', {
      providers: [...providers],
      sessions: paged('before', before, () => ({ page: page.map(presentSession), next })),
    })
  })

  app.get(paths.activity().url, { schema: { querystring: ActivityQuery } }, async (request, reply) => {
    const { userId, token } = request.signedIn.session
    const props = await activityPage(
      db,
      { userId },
      rowsOf(request, 'before'),
      request.query,
      presentOwnActivity(userId),
    )
    return reply.page('settings/activity', {
      ...props,
      providers: [...providers],
      ...(await restoredIn(request)),
      open_sessions: await sessionsWithSignIns(app, userId, ne(sessions.token, token)),
    })
  })

  const limit = 'activity_file'
  const file = { ...fileRoute, ...formRoute(paths.activity().url, limit, { querystring: ActivityQuery }) }
  app.get(paths.activityFile().url, file, (request, reply) => {
    const lines = ownCsvOf(db, request.signedIn.user.id, wantedIn(request.query))
    return sendActivity(reply, { name: 'activity.csv', lines, limit })
  })

  const exporting = { ...fileRoute, ...formRoute(paths.profile().url, 'data_export', { body: ChallengeBody }) }
  app.post(paths.exportData().url, exporting, async (request, reply) => {
    const data = await exportOf(app, await reauthenticateSession(request))
    return sendFile(reply, { name: 'accounts-export.json', type: 'application/json' }, data)
  })
}
