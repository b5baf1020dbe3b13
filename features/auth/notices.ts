import Bowser from 'bowser'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { activities, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { raw, type Text, text } from '../../plugins/languages/index.ts'
import type { Mails, Message } from '../../plugins/mail/index.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { paths } from '../paths.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    new_sign_in: { activityId: number; trusted?: boolean }
  }
}

type Person = { email: string; verified: boolean }

/**
 * Queues a mail that tells people of a change to their own account. Only to a verified address, since any other may be
 * a stranger's, and with a daily limit for each kind: many sign-ins must not stop the mail with the link that takes an
 * account back.
 */
export async function queueNotice<Name extends keyof Mails & string>(
  { mail }: FastifyInstance,
  tx: Tx,
  { email, verified }: Person,
  name: Name,
  ids: Mails[Name],
) {
  if (verified && (await tryTakeMail(tx, 'notice_mail', email, `${name} `))) await mail.queue(tx, name, ids)
}

export type NoticeIds = { userId: number; activityId?: number | undefined }

type Notice = { subject: Text; paragraphs: Text[]; advice: Text[]; action?: NonNullable<Message['action']> }
type NoticeName = { [Name in keyof Mails]: Mails[Name] extends NoticeIds ? Name : never }[keyof Mails]

// Without a token, so the links are of no use to anyone else who gets the mail.
const reviewSessions = { label: text('Review your sessions'), url: paths.sessions().url }
export const chooseNewPassword = { label: text('Choose a new password'), url: paths.newPasswordReset().url }

export const defineNotice = <Name extends NoticeName>(
  { db, mail }: FastifyInstance,
  name: Name,
  compose: (ids: Mails[Name]) => Notice | Promise<Notice>,
) => mail.define(name, { compose: async (ids) => composeNotice(db, ids, await compose(ids)) })

/** A mail about a change to how the user signs in. Undefined without a verified address. */
async function composeNotice(db: Database, ids: NoticeIds, notice: Notice) {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, ids.userId), eq(users.verified, true)))
  if (!user) return undefined
  return {
    to: user.email,
    language: user.language,
    action: reviewSessions,
    ...notice,
    paragraphs: [greeting(user.name), ...notice.paragraphs],
    facts: await factsOf(db, ids),
  }
}

export async function factsOf(db: Database, { userId, activityId }: NoticeIds) {
  if (activityId === undefined) return []
  const [found] = await db
    .select()
    .from(activities)
    .where(and(eq(activities.id, activityId), eq(activities.userId, userId)))
  if (!found) return []
  const { details, createdAt, userAgent, ipAddress } = found
  const passkey = typeof details.passkey_name === 'string' ? nameInMail(details.passkey_name) : undefined
  const token = typeof details.token_name === 'string' ? nameInMail(details.token_name) : undefined
  return [
    ...(token ? [{ label: text('Token'), value: raw(token) }] : []),
    ...(passkey ? [{ label: text('Passkey'), value: raw(passkey) }] : []),
    { label: text('Time'), value: raw({ at: createdAt, precision: 'second' }) },
    ...(ipAddress ? [{ label: text('Device'), value: deviceIn(userAgent ?? '') }] : []),
    ...(ipAddress ? [{ label: text('IP address'), value: raw(ipAddress) }] : []), // an operator has none
  ]
}

export function deviceIn(userAgent: string) {
  if (!userAgent) return text('Unknown browser') // which Bowser would throw at
  const { browser, os } = Bowser.parse(userAgent)
  const [name, system] = [browser.name, os.name].map((given) => nameInMail(given ?? ''))
  if (name && system) return text('{browser} on {system}', { browser: name, system })
  const known = name ?? system
  return known ? raw(known) : text('Unknown browser')
}

export const defineMails = (app: FastifyInstance, { appName }: { appName: string }) =>
  app.mail.define('new_sign_in', {
    async compose({ activityId, trusted }) {
      const [signIn] = await app.db.select().from(activities).where(eq(activities.id, activityId))
      if (!signIn?.userId) return undefined
      const ids = { userId: signIn.userId, activityId }
      return composeNotice(app.db, ids, {
        subject: text('New sign-in to {appName}', { appName }),
        paragraphs: [
          text("Someone signed in to your account from a browser we haven't seen before."),
          ...(trusted === undefined ? [] : [trusted ? browserTrusted : browserNotTrusted]),
        ],
        advice: [
          text('If this was you, you can ignore this email.'),
          text("If it wasn't, someone knows your password. Change it right away: that signs out all other devices."),
        ],
      })
    },
  })

const browserTrusted = text('The browser is trusted now: for 30 days, it needs no second step to sign in.')
const browserNotTrusted = text('The browser is not trusted: a second step is needed each time.')
