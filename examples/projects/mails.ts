import { and, asc, between, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { type Catalog, raw, text } from '../../plugins/languages/index.ts'
import { greeting, nameInMail } from '../../plugins/mail/names.ts'
import { addDays, formatDay } from './days.ts'
import { formatMoney } from './money.ts'
import { projectPaths } from './paths.ts'
import { type Project, projects } from './tables.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    projects_due: { userId: number; accountId: number; day: string }
  }
}

const maxListed = 20

export function defineMails(app: FastifyInstance) {
  const { db, mail } = app
  mail.define('projects_due', {
    /** Reads everything when it is sent: someone who has left gets no mail, and what was done is not in it. */
    async compose({ userId, accountId, day }) {
      const [member] = await db
        .select({ name: users.name, email: users.email, language: users.language, account: accounts })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .innerJoin(accounts, eq(accounts.id, memberships.accountId))
        .where(and(eq(users.id, userId), eq(accounts.id, accountId), users.verified))
      const own = and(eq(projects.accountId, accountId), eq(projects.creatorId, userId))
      const due = await db
        .select()
        .from(projects)
        .where(and(own, between(projects.dueOn, day, addDays(day, 1))))
        .orderBy(asc(projects.dueOn), asc(projects.id))
        .limit(maxListed)
      if (!member || due.length === 0) return undefined
      const place = nameInMail(member.account.name) ?? text('a workspace')
      return {
        to: member.email,
        language: member.language,
        subject: text('Projects due in {place}', { place }),
        preheader: text('What you created is due today or tomorrow.'),
        paragraphs: [greeting(member.name), text('These projects that you created are due:')],
        facts: due.map((project) => factOf(project, app.languageOf(member.language))),
        action: { label: text('See all projects'), url: projectPaths.projects(member.account.slug).url },
      }
    },
  })
}

const factOf = ({ name, client, rateAmount: amount, rateCurrency: currency, dueOn }: Project, { tag }: Catalog) => ({
  label: raw(nameInMail(name) ?? '…'),
  value: text('{day} for {client}, at {rate} an hour', {
    day: formatDay(tag, dueOn, 'long'),
    client: nameInMail(client) ?? '…',
    rate: formatMoney(tag, { amount, currency }),
  }),
})
