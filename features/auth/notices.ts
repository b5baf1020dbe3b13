import Bowser from 'bowser'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { activities, type User, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { raw, type Text, text } from '../../plugins/languages/index.ts'
import type { Mails, Message } from '../../plugins/mail/index.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import type { Activities, ActivityType } from '../activity/activities.ts'
import { record } from '../activity/index.ts'
import { paths } from '../paths.ts'
import { factorsIn, type MethodWords, methodInWords } from './methods.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails extends Record<OwnNotice, NoticeIds> {
    new_sign_in: { activityId: number; trusted?: boolean }
  }
}

type OwnNotice = 'password_changed' | 'suspended' | 'unsuspended'
export type NoticeIds = { userId: number; activityId: number }

/** A mail about an activity of the user. Most are named like it. Features of a product declare theirs in `Mails`. */
type NoticeName = { [Name in keyof Mails]: Mails[Name] extends NoticeIds ? Name : never }[keyof Mails]

/**
 * Queues a mail that tells people of a change to their own account. Only to a verified address, since any other may be
 * a stranger's, and with a daily limit for each kind: many sign-ins must not stop the mail with the link that takes an
 * account back.
 */
export async function queueNotice<Name extends keyof Mails & string>(
  { mail }: FastifyInstance,
  tx: Tx,
  { email, verified }: Pick<User, 'email' | 'verified'>,
  name: Name,
  ids: Mails[Name],
) {
  if (verified && (await tryTakeMail(tx, 'notice_mail', email, { kind: `${name} ` }))) await mail.queue(tx, name, ids)
}

export async function recordWithNotice<Type extends NoticeName & ActivityType>(
  app: FastifyInstance,
  tx: Tx,
  user: Pick<User, 'id' | 'email' | 'verified'>,
  type: Type,
  ...abouts: Omit<Activities[Type], 'userId'>[]
) {
  let activityId = 0 // of the last activity: one mail tells of all
  for (const about of abouts)
    activityId = await record(tx, type, { userId: user.id, ...about } as unknown as Activities[Type])
  if (activityId) await queueNotice(app, tx, user, type, { userId: user.id, activityId })
}

type Notice = Pick<Message, 'subject' | 'preheader' | 'paragraphs' | 'action' | 'secondaryAction' | 'facts'> & {
  advice: Text[]
}
type Compose = (about: { userId: number; details: Activity['details'] }) => Notice | Promise<Notice>

// Without a token, so the links are of no use to anyone else who gets the mail.
export const changePassword = { label: text('Change your password'), url: paths.password().url }
export const chooseNewPassword = { label: text('Choose a new password'), url: paths.newPasswordReset().url }
export const reviewSessions = { label: text('Review your sessions'), url: paths.sessions().url }

export const defineNotice = (app: FastifyInstance, name: NoticeName, compose: Compose) =>
  app.mail.define(name, { compose: (ids) => composeNotice(app, ids, compose) })

/** Undefined without a verified address. */
async function composeNotice(app: FastifyInstance, ids: NoticeIds, compose: Compose) {
  const { db } = app
  const { userId } = ids
  const isReachable = and(eq(users.id, userId), eq(users.verified, true))
  const [user] = await db.select().from(users).where(isReachable)
  if (!user) return undefined
  const activity = await activityOf(db, ids)
  const notice = await compose({ userId, details: activity?.details ?? {} })
  return {
    to: user.email,
    language: user.language,
    ...(notice.action ? {} : { action: changePassword, secondaryAction: reviewSessions }),
    ...notice,
    paragraphs: [greeting(user.name), ...notice.paragraphs],
    facts: [...(notice.facts ?? []), ...factsOf(app, activity)],
  }
}

type Activity = typeof activities.$inferSelect

export async function activityOf(db: Database, { userId, activityId = 0 }: Partial<NoticeIds>) {
  const isActivity = and(eq(activities.id, activityId), eq(activities.userId, userId ?? 0))
  const [activity] = await db.select().from(activities).where(isActivity)
  return activity
}

export function factsOf(app: FastifyInstance, activity: Activity | undefined) {
  if (!activity) return []
  const { details, createdAt, userAgent, ipAddress } = activity
  const method = typeof details.method === 'string' ? methodInWords(details.method, wordsOf(app)) : undefined
  return [
    ...(method ? [{ label: text('Signed in'), value: method }] : []),
    { label: text('Time'), value: raw({ at: createdAt, precision: 'second' }) },
    ...(ipAddress ? [{ label: text('Device'), value: deviceIn(userAgent ?? '') }] : []),
    ...(ipAddress ? [{ label: text('IP address'), value: raw(ipAddress) }] : []), // an operator has none
  ]
}

const wordsOf = ({ firstFactors, secondSteps }: FastifyInstance): MethodWords => ({
  first: Object.fromEntries([...firstFactors].map(({ id, words }) => [id, words])),
  second: Object.assign({}, ...[...secondSteps].map(({ words }) => words)),
})

export function deviceIn(userAgent: string) {
  if (!userAgent) return text('Unknown browser') // which Bowser would throw at
  const { browser, os } = Bowser.parse(userAgent)
  const [name, system] = [browser.name, os.name].map((part) => nameInMail(part ?? ''))
  if (name && system) return text('{browser} on {system}', { browser: name, system })
  const either = name ?? system
  return either ? raw(either) : text('Unknown browser')
}

export function defineMails(app: FastifyInstance) {
  const { db, firstFactors, secondSteps } = app
  const { appName } = app.site
  app.mail.define('new_sign_in', {
    async compose({ activityId, trusted }) {
      const [signIn] = await db.select().from(activities).where(eq(activities.id, activityId))
      if (!signIn?.userId) return undefined
      const { first } = factorsIn(String(signIn.details.method))
      return composeNotice(app, { userId: signIn.userId, activityId }, () => ({
        subject: text('New sign-in to {appName}', { appName }),
        preheader: text('Was it you? If not, change your password.'),
        paragraphs: [
          text("Someone signed in to your account from a browser we haven't seen before."),
          ...(trusted === undefined ? [] : [...secondSteps].flatMap((step) => step.aboutBrowser?.(trusted) ?? [])),
        ],
        advice: [
          text('If this was you, you can ignore this email.'),
          firstFactors.find(({ id }) => id === first)?.advice ?? passwordIsKnown,
        ],
      }))
    },
  })
}

const passwordIsKnown = text(
  "If it wasn't, someone knows your password. Change it right away: that signs out all other devices.",
)
