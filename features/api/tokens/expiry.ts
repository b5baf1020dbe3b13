import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../../drizzle/schema.ts'
import { type ApiToken, apiTokens } from '../../../drizzle/tables/api.ts'
import type { Tx } from '../../../plugins/database/index.ts'
import { raw, type Text, text } from '../../../plugins/languages/index.ts'
import type { Message } from '../../../plugins/mail/index.ts'
import { greeting, nameInMail } from '../../../plugins/mail/names.ts'
import { queueNotice } from '../../auth/notices.ts'
import type { TokenKind } from '../clients.ts'
import { apiPaths } from '../paths.ts'

declare module '../../../plugins/mail/index.ts' {
  interface Mails {
    token_expires: { userId: number; tokenId: number }
  }
}

declare module '../../../plugins/jobs/index.ts' {
  interface Jobs {
    warn_of_expiry: Record<string, never>
  }
}

const weekMs = 7 * 86_400_000
const batchSize = 100 // tokens, so that a transaction is short

export const reviewTokens = { label: text('Review your tokens'), url: apiPaths.tokens().url }

/** A mail a week before a token ends, so that no program stops by surprise. */
export function warnOfExpiry(app: FastifyInstance) {
  app.jobs.define('warn_of_expiry', {
    cron: '37 * * * *',
    async work(_, { signal }) {
      for (const kind of app.tokenKinds) {
        let warned = batchSize
        while (warned === batchSize && !signal.aborted) {
          warned = await app.db.transaction((tx) => warnSome(app, tx, kind))
        }
      }
    },
  })
  app.mail.define('token_expires', { compose: ({ tokenId }) => composeMail(app, tokenId) })
}

/** Returns how many there were. Those that live no longer than a week are not worth a mail. */
async function warnSome(app: FastifyInstance, tx: Tx, { table, warn }: TokenKind) {
  const now = app.now()
  const [from, to] = [now, new Date(now.getTime() + weekMs)].map((time) => time.toISOString())
  const due = sql`select id from ${table} where expiry_mailed_at is null
    and expires_at > ${from} and expires_at <= ${to} and expires_at - created_at > interval '7 days'
    limit ${batchSize} for update skip locked`
  const warning = sql`update ${table} set expiry_mailed_at = ${from} where id in (${due})`
  const { rows } = await tx.execute<{ id: number }>(sql`${warning} returning id::float8 as id`)
  for (const { id } of rows) await warn(tx, id)
  return rows.length
}

/** Tells the owner of a token. */
export async function warnOwner(app: FastifyInstance, tx: Tx, tokenId: number) {
  const [row] = await tx
    .select({ user: users })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(eq(apiTokens.id, tokenId))
  if (row) await queueNotice(app, tx, row.user, 'token_expires', { userId: row.user.id, tokenId })
}

/** Undefined if the token is gone, or its user has no verified address. */
async function composeMail({ db, site: { appName } }: FastifyInstance, tokenId: number) {
  const [found] = await db
    .select({ token: apiTokens, user: users })
    .from(apiTokens)
    .innerJoin(users, and(eq(users.id, apiTokens.userId), eq(users.verified, true)))
    .where(eq(apiTokens.id, tokenId))
  return (
    found &&
    expiryMail({
      ...found,
      subject: text('A token expires soon'),
      loss: text('After that, programs with this token can no longer use {appName} as you.', { appName }),
      action: reviewTokens,
    })
  )
}

type Expiring = Pick<Message, 'subject' | 'action'> & {
  user: User
  token: Pick<ApiToken, 'name' | 'expiresAt'>
  loss: Text
}

/** About a token of whatever kind. */
export const expiryMail = ({ user, token, loss, ...others }: Expiring) => ({
  to: user.email,
  language: user.language,
  preheader: text('Roll it before the program that uses it loses access.'),
  paragraphs: [greeting(user.name), loss],
  facts: [...tokenFact(token.name), { label: text('Expires'), value: raw({ at: token.expiresAt, precision: 'day' }) }],
  advice: [text('If you still need it, roll it: you get a new one, and the old one works for another hour.')],
  ...others,
})

export function tokenFact(name: unknown) {
  const shown = nameInMail(String(name ?? ''))
  return shown ? [{ label: text('Token'), value: raw(shown) }] : []
}
