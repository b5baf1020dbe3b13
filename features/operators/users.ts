import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { asc, eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { accounts, type User, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid, Refused } from '../../plugins/forms/index.ts'
import { challengeFields, idParam, nameMessages, OptionalText } from '../../plugins/forms/parameters.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { paged } from '../../plugins/lists.ts'
import { normalizeEmail } from '../../plugins/mail/index.ts'
import { refill } from '../../plugins/security/limits/index.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { activitiesOf } from '../activity/lists.ts'
import { presentOwnActivity } from '../activity/props.ts'
import { endEverySession, selectSessions } from '../auth/sessions.ts'
import { waysInEnglish } from '../auth/sign-in-methods.ts'
import { maxReasonLength, suspend, unsuspend } from '../auth/suspension.ts'
import { removeUserWithNotice } from '../auth/user-deletion.ts'
import { formRoute } from '../forms.ts'
import { resetSecondFactor } from '../second-factor/second-factors.ts'
import { secondFactorOf } from '../second-factor/ways-in.ts'
import { operate, operatorBudget } from './guard.ts'
import { findUser, findUsers, pausedUntil, SearchQuery } from './lists.ts'
import { isOperator } from './operators.ts'
import { operatorPaths } from './paths.ts'
import { type Action, presentMail, presentSessionOf, presentUser } from './props.ts'

const shown = 50 // sessions and activities
const params = Type.Object({ userId: Type.String() })
const ReasonBody = Type.Object({ reason: OptionalText, ...challengeFields })

const AddressBody = Type.Object({ address: OptionalText, ...challengeFields })
const notVerified = text('Their email is not verified')

const targetIn = ({ params }: FastifyRequest) => Number((params as { userId: string }).userId)
const pageOfTarget = (request: FastifyRequest) => operatorPaths.user(targetIn(request)).url

/** Options of a route that changes a user. */
function change(operatorAction: Action, body = Type.Object(challengeFields)) {
  const { schema, config } = formRoute(pageOfTarget, operatorBudget, { params, body })
  return { schema, config: { ...config, operatorAction } }
}

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
    const id = targetIn(request)
    const user = await findUser(db, id)
    if (!user) throw new NotFound()
    const joined = await selectAccounts(db, id).orderBy(asc(accounts.name), asc(accounts.id))
    return reply.page('operators/user', {
      user: presentUser(user),
      ways: (await waysInEnglish(app, [id]))(id),
      obstacles: {
        paused_until: (await pausedUntil(db, user))?.toISOString() ?? null,
        recovery_codes_left: (await secondFactorOf(db, id))?.codesLeft ?? null,
        requiring: joined.flatMap(({ account: { id, name, requireSecondFactor, requireSingleSignOn } }) =>
          requireSecondFactor || requireSingleSignOn
            ? [{ id, name, second_factor: requireSecondFactor, sso: requireSingleSignOn }]
            : [],
        ),
      },
      sessions: (await selectSessions(app, id).limit(shown)).map(presentSessionOf),
      accounts: joined.map(({ account, role }) => ({ id: account.id, name: account.name, slug: account.slug, role })),
      activities: (await activitiesOf(db, { userId: id }, { size: shown })).page.map(presentOwnActivity(id)),
      mails: (await jobs.unfinishedOf(user)).map(presentMail),
      providers: [...providers],
    })
  })

  app.post(`${url}/reset_link`, change('reset_link_sent'), async (request, reply) => {
    await operateOnUser(request, async (tx, { email, verified }) => {
      if (!verified) throw new Refused(notVerified) // nothing but a verification is mailed there
      await app.mail.queue(tx, 'password_reset', { email }) // whatever strangers asked for before
    })
    return reply.notice(text('Reset link sent')).redirect(pageOfTarget(request))
  })

  app.post(`${url}/verification`, change('verification_sent'), async (request, reply) => {
    await operateOnUser(request, async (tx, user) => {
      if (user.verified) throw new Refused(text('Their email is verified already'))
      await app.mail.queue(tx, 'email_verification', { userId: user.id })
    })
    return reply.notice(text('Verification sent')).redirect(pageOfTarget(request))
  })

  app.delete(`${url}/pause`, change('pause_lifted'), async (request, reply) => {
    await operateOnUser(request, async (tx, { id, email }) => {
      await refill(tx, 'guess', email)
      await refill(tx, 'challenge', id)
    })
    return reply.notice(text('Pause lifted')).redirect(pageOfTarget(request))
  })

  app.post(`${url}/sign_out`, change('sessions_ended'), async (request, reply) => {
    await operateOnUser(request, (tx, { id }) => endEverySession(tx, id))
    return reply.notice(text('Sessions ended')).redirect(pageOfTarget(request))
  })

  app.delete(`${url}/second_factor`, change('second_factor_removed'), async (request, reply) => {
    await operateOnUser(request, async (tx, { id }) => {
      if (!(await resetSecondFactor(app, tx, id))) throw new NotFound()
    })
    return reply.notice(text('Second factor removed')).redirect(pageOfTarget(request))
  })

  const suspending = change('user_suspended', ReasonBody)
  const checked = { ...suspending, config: { ...suspending.config, checkFields: checkReason } }
  app.put(`${url}/suspension`, checked, async (request, reply) => {
    await operateOnUser(request, (tx, { id }) => suspend(app, tx, id, reasonIn(request)))
    return reply.notice(text('User suspended')).redirect(pageOfTarget(request))
  })

  app.delete(`${url}/suspension`, change('user_unsuspended'), async (request, reply) => {
    await operateOnUser(request, async (tx, { id }) => {
      if (!(await unsuspend(app, tx, id))) throw new NotFound()
    })
    return reply.notice(text('Suspension lifted')).redirect(pageOfTarget(request))
  })

  app.delete(url, change('user_deleted', AddressBody), async (request, reply) => {
    const typed = (request.body as { address?: string | null }).address
    await operateOnUser(request, async (tx, user) => {
      if (typed != null && normalizeEmail(typed) !== user.email) throw new Invalid({ address: [text('is not theirs')] })
      if (!(await removeUserWithNotice(app, tx, user))) throw new NotFound() // another operator was first
    })
    return reply.notice(text('User deleted')).redirect(operatorPaths.users().url)
  })
}

const reasonIn = ({ body }: FastifyRequest) => (body as { reason?: string | null }).reason ?? ''
const checkReason = (request: FastifyRequest) => ({ reason: nameMessages(reasonIn(request), maxReasonLength) })

/**
 * Calls `work` in the transaction of `operate`, with the user of the URL. Throws NotFound, and Refused for operators.
 */
const operateOnUser = (request: FastifyRequest, work: (tx: Tx, user: User) => Promise<unknown>) =>
  operate(request, async (tx) => {
    const id = targetIn(request)
    const [user] = await tx.select().from(users).where(eq(users.id, id))
    if (!user) throw new NotFound()
    if (isOperator(user)) throw new Refused(text('Use the command line for operators'))
    await work(tx, user)
  })
