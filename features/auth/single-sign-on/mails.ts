import { and, asc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, activities, memberships, users } from '../../../drizzle/schema.ts'
import type { Tx } from '../../../plugins/database/index.ts'
import { raw, text } from '../../../plugins/languages/index.ts'
import { greeting, nameInMail } from '../../../plugins/mail/names.ts'
import { tryTakeMail } from '../../../plugins/security/limits/index.ts'
import { paths } from '../../paths.ts'
import { defineNotice, reviewSessions } from '../notices.ts'

declare module '../../../plugins/mail/index.ts' {
  interface Mails {
    /** To one of the owners who had verified the domain. */
    domain_moved: { userId: number; activityId: number }
  }
}

/** Tells all owners whose address is verified that another workspace has the domain now. */
export async function announceMove({ mail }: FastifyInstance, tx: Tx, accountId: number, activityId: number) {
  const owners = await tx
    .select({ id: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.accountId, accountId), eq(memberships.role, 'owner'), eq(users.verified, true)))
    .orderBy(asc(users.id))
  for (const { id, email } of owners)
    if (await tryTakeMail(tx, 'notice_mail', email, 'domain_moved '))
      await mail.queue(tx, 'domain_moved', { userId: id, activityId })
}

const advice = [text("If this wasn't you, someone else was signed in as you. End all other sessions.")]
const reviewSecurity = { label: text('Review your security settings'), url: paths.security().url }

export function defineMails(app: FastifyInstance) {
  const { appName } = app.site
  const workspaceOf = (name: unknown) => nameInMail(String(name)) ?? text('a workspace')
  const rest = { advice, action: reviewSecurity, secondaryAction: reviewSessions }
  defineNotice(app, 'sso_connected', ({ details }) => ({
    ...rest,
    subject: text('Single sign-on was connected'),
    preheader: text('Check that it was you who connected it.'),
    paragraphs: [
      text('From now on, the single sign-on of {place} signs you in to {appName}.', {
        place: workspaceOf(details.account_name),
        appName,
      }),
    ],
  }))
  defineNotice(app, 'sso_disconnected', ({ details }) => ({
    ...rest,
    subject: text('Single sign-on was disconnected'),
    preheader: text('Check that it was you who disconnected it.'),
    paragraphs: [
      text('The single sign-on of {place} no longer signs you in to {appName}.', {
        place: workspaceOf(details.account_name),
        appName,
      }),
    ],
  }))

  app.mail.define('domain_moved', {
    async compose({ userId, activityId }) {
      const [moved] = await app.db
        .select({ user: users, account: accounts, activity: activities })
        .from(activities)
        .innerJoin(accounts, eq(accounts.id, activities.accountId))
        .innerJoin(users, and(eq(users.id, userId), eq(users.verified, true)))
        .where(eq(activities.id, activityId))
      if (!moved) return undefined
      const { user, account, activity } = moved
      const domain = String(activity.details.domain)
      return {
        to: user.email,
        language: user.language,
        subject: text('{domain} is no longer yours', { domain }),
        preheader: text('Another workspace has proved that the domain belongs to it.'),
        paragraphs: [
          greeting(user.name),
          text(
            `The record that proved {domain} for {place} is gone, and another workspace has proved the domain. People
              with an address there can't use your single sign-on any more.`,
            { domain, place: workspaceOf(account.name) },
          ),
        ],
        facts: [{ label: text('Time'), value: raw({ at: activity.createdAt, precision: 'second' }) }],
        advice: [text('If the domain is still yours, add the record again and verify it.')],
        action: { label: text('See single sign-on'), url: paths.accountSingleSignOn(account.slug).url },
      }
    },
  })
}
