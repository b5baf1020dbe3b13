import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { and, asc, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { accounts, memberships, type User, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid, Refused } from '../../plugins/forms/index.ts'
import { idParam, nameMessages, OptionalText } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { paged } from '../../plugins/lists.ts'
import { normalizeEmail } from '../../plugins/mail/index.ts'
import { refill } from '../../plugins/security/limits/index.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { owns } from '../accounts/rights.ts'
import { activitiesOf } from '../activity/lists.ts'
import { presentOwnActivity } from '../activity/props.ts'
import { selectSessions } from '../auth/sessions.ts'
import { waysInEnglish } from '../auth/sign-in-methods.ts'
import { maxReasonLength } from '../auth/suspension.ts'
import { deletion, endOfSuspension, signOut, suspension, type UserCommand } from '../auth/user-commands.ts'
import { secondFactorReset } from '../second-factor/second-factors.ts'
import { secondFactorOf } from '../second-factor/ways-in.ts'
import { addActions, type OperatorAction } from './actions.ts'
import { findUser, findUsers, pausedUntil, SearchQuery, unfinishedOf } from './lists.ts'
import { isOperator } from './operators.ts'
import { operatorPaths } from './paths.ts'
import { type Action, presentMail, presentSessionOf, presentUser } from './props.ts'

type Check = (user: User, request: FastifyRequest) => void
type Act = (app: FastifyInstance, tx: Tx, user: User, request: FastifyRequest) => Promise<Text>

/** Of others than operators. */
const onUser =
  (act: Act): OperatorAction['act'] =>
  async (app, tx, id, request) => {
    const [user] = await tx.select().from(users).where(eq(users.id, id))
    if (!user) throw new NotFound()
    if (isOperator(user)) throw new Refused(text('Use the command line for operators'))
    return act(app, tx, user, request)
  }

const sentIn = ({ body }: FastifyRequest) => body as { reason?: string | null; address?: string | null }
const reasonIn = (request: FastifyRequest) => sentIn(request).reason ?? ''

/** The same as the command does. */
const byCommand = ({ logged: log, run }: UserCommand & { logged: Action }, done: Text, check?: Check) => ({
  log,
  act: onUser(async (app, tx, user, request) => {
    check?.(user, request)
    await run(app, tx, { user, word: reasonIn(request) })
    return done
  }),
})

const actions: OperatorAction[] = [
  {
    path: operatorPaths.sendResetLink,
    log: 'reset_link_sent',
    act: onUser(async ({ mail }, tx, { email, verified }) => {
      if (!verified) throw new Refused(text('Their email is not verified')) // nothing but a verification is mailed there
      await mail.queue(tx, 'password_reset', { email }) // whatever strangers asked for before
      return text('Reset link sent')
    }),
  },
  {
    path: operatorPaths.sendVerification,
    log: 'verification_sent',
    act: onUser(async ({ mail }, tx, { id, verified }) => {
      if (verified) throw new Refused(text('Their email is verified already'))
      await mail.queue(tx, 'email_verification', { userId: id })
      return text('Verification sent')
    }),
  },
  {
    path: operatorPaths.liftPause,
    log: 'pause_lifted',
    act: onUser(async (_app, tx, { id, email }) => {
      await refill(tx, 'guess', email)
      await refill(tx, 'challenge', id)
      return text('Pause lifted')
    }),
  },
  { path: operatorPaths.endSessions, ...byCommand(signOut, text('Sessions ended')) },
  {
    path: operatorPaths.removeSecondFactor,
    ...byCommand(secondFactorReset, text('Second factor removed')),
  },
  {
    path: operatorPaths.suspend,
    fields: { reason: OptionalText },
    check: (request) => ({ reason: nameMessages(reasonIn(request), maxReasonLength) }),
    ...byCommand(suspension, text('User suspended')),
  },
  { path: operatorPaths.unsuspend, ...byCommand(endOfSuspension, text('Suspension lifted')) },
  {
    path: operatorPaths.deleteUser,
    fields: { address: OptionalText },
    leadsTo: operatorPaths.users(),
    ...byCommand(deletion, text('User deleted'), ({ email }, request) => {
      const { address } = sentIn(request)
      if (address != null && normalizeEmail(address) !== email) throw new Invalid({ address: [text('is not theirs')] })
    }),
  },
]

const shown = 50 // sessions and activities

const params = Type.Object({ userId: Type.String() })

export const userRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { db, jobs, providers } = app

  const listing = { schema: { querystring: SearchQuery }, config: { operatorAction: 'users_listed' } } as const
  app.get(operatorPaths.users().url, listing, ({ query }, reply) =>
    reply.page('operators/users', {
      users: paged('before', query.before, () => findUsers(db, query)),
      q: query.q ?? '',
    }),
  )

  const url = `${operatorPaths.users().url}/${idParam('userId')}`
  app.get(url, { schema: { params }, config: { operatorAction: 'user_viewed' } }, async (request, reply) => {
    const id = Number(request.params.userId)
    const user = await findUser(db, id)
    if (!user) throw new NotFound()
    const joined = await selectAccounts(db, id).orderBy(asc(accounts.name), asc(accounts.id))
    const isOutside = and(eq(memberships.userId, id), eq(memberships.outside, true))
    const outside = await db.select({ id: memberships.accountId }).from(memberships).where(isOutside)
    return reply.page('operators/user', {
      user: presentUser(user),
      ways: (await waysInEnglish(app, [id]))(id),
      obstacles: {
        paused_until: (await pausedUntil(db, user))?.toISOString() ?? null,
        recovery_codes_left: (await secondFactorOf(db, id))?.codesLeft ?? null,
        requiring: joined.flatMap(({ account: { id, name, requireSecondFactor, requireSingleSignOn }, role }) => {
          const sso = requireSingleSignOn && !outside.some((each) => each.id === id)
          return requireSecondFactor || sso
            ? [{ id, name, is_owner: owns(role), second_factor: requireSecondFactor, sso }]
            : []
        }),
      },
      sessions: (await selectSessions(app, id).limit(shown)).map(presentSessionOf),
      accounts: joined.map(({ account, role }) => ({ id: account.id, name: account.name, slug: account.slug, role })),
      activities: (await activitiesOf(db, { userId: id }, { size: shown })).page.map(presentOwnActivity(id)),
      mails: (await unfinishedOf(jobs, user)).map(presentMail),
      providers: [...providers],
    })
  })

  addActions(app, 'user', ...actions)
}
