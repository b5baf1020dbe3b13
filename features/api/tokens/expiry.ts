import { and, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../../drizzle/schema.ts'
import { apiTokens } from '../../../drizzle/tables/api.ts'
import type { Tx } from '../../../plugins/database/index.ts'
import { raw, text } from '../../../plugins/languages/index.ts'
import { greeting, nameInMail } from '../../../plugins/mail/names.ts'
import { queueNotice } from '../../auth/notices.ts'
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
      let warned = batchSize
      while (warned === batchSize && !signal.aborted) {
        warned = await app.db.transaction((tx) => warnSome(app, tx))
      }
    },
  })
  app.mail.define('token_expires', { compose: ({ tokenId }) => composeMail(app, tokenId) })
}

/** Returns how many there were. Those that live no longer than a week are not worth a mail. */
async function warnSome(app: FastifyInstance, tx: Tx) {
  const now = app.now()
  const isDue = and(
    isNull(apiTokens.expiryMailedAt),
    gt(apiTokens.expiresAt, now),
    lte(apiTokens.expiresAt, new Date(now.getTime() + weekMs)),
    sql`${apiTokens.expiresAt} - ${apiTokens.createdAt} > interval '7 days'`,
  )
  const due = tx.select({ id: apiTokens.id }).from(apiTokens).where(isDue).limit(batchSize)
  const tokens = await tx
    .update(apiTokens)
    .set({ expiryMailedAt: now })
    .where(inArray(apiTokens.id, due.for('update', { skipLocked: true })))
    .returning({ tokenId: apiTokens.id, userId: apiTokens.userId })
  for (const ids of tokens) {
    const [user] = await tx.select().from(users).where(eq(users.id, ids.userId))
    if (user) await queueNotice(app, tx, user, 'token_expires', ids)
  }
  return tokens.length
}

/** Undefined if the token is gone, or its user has no verified address. */
async function composeMail({ db, site: { appName } }: FastifyInstance, tokenId: number) {
  const [row] = await db
    .select({ token: apiTokens, user: users })
    .from(apiTokens)
    .innerJoin(users, and(eq(users.id, apiTokens.userId), eq(users.verified, true)))
    .where(eq(apiTokens.id, tokenId))
  if (!row) return undefined
  const { token, user } = row
  const name = nameInMail(token.name)
  return {
    to: user.email,
    language: user.language,
    subject: text('A token expires soon'),
    preheader: text('Roll it before the program that uses it loses access.'),
    paragraphs: [
      greeting(user.name),
      text('After that, programs with this token can no longer use {appName} as you.', { appName }),
    ],
    facts: [
      ...(name ? [{ label: text('Token'), value: raw(name) }] : []),
      { label: text('Expires'), value: raw({ at: token.expiresAt, precision: 'day' }) },
    ],
    advice: [text('If you still need it, roll it: you get a new one, and the old one works for another hour.')],
    action: reviewTokens,
  }
}
