import { and, asc, between, eq, inArray, notExists, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { lockAccounts, recordAccountActivity } from '../../features/accounts/index.ts'
import { queueNotice } from '../../features/auth/notices.ts'
import { addDays, dayOf } from './days.ts'
import { projectPreferences, projects } from './tables.ts'

declare module '../../plugins/jobs/index.ts' {
  interface Jobs {
    project_reminders: Record<string, never>
  }
}

const batchSize = 100
const isOff = and(eq(projectPreferences.userId, users.id), eq(projectPreferences.reminders, false))

export function defineReminders(app: FastifyInstance) {
  app.jobs.define('project_reminders', {
    cron: '0 6 * * *',
    async work(_data, { signal }) {
      let reminded = batchSize
      while (reminded === batchSize && !signal.aborted) reminded = await remind(app)
    },
  })
}

/**
 * Announces some of the projects that are due today or tomorrow, each once for its due day. A job that runs twice finds
 * `remindedOf` set, and two at once wait for each other's workspaces: what is recorded there comes in its order.
 */
const remind = (app: FastifyInstance) =>
  app.db.transaction(async (tx) => {
    const today = dayOf(app.now())
    const isDue = and(
      between(projects.dueOn, today, addDays(today, 1)),
      sql`${projects.remindedOf} is distinct from ${projects.dueOn}`,
    )
    const found = await tx.select().from(projects).where(isDue).orderBy(asc(projects.id)).limit(batchSize)
    const foundIds = found.map(({ id }) => id)
    await lockAccounts(
      tx,
      found.map(({ accountId }) => accountId),
    )
    const stillDue = and(isDue, inArray(projects.id, foundIds))
    const due = await tx.select().from(projects).where(stillDue).orderBy(asc(projects.id)).for('update')
    const ids = due.map(({ id }) => id)
    await tx
      .update(projects)
      .set({ remindedOf: projects.dueOn, updatedAt: projects.updatedAt })
      .where(inArray(projects.id, ids))

    for (const { accountId, name, dueOn } of due)
      await recordAccountActivity(tx, { accountId, userId: null }, 'project_due', { project_name: name, due_on: dueOn })

    // One mail to each person and workspace, however many of their projects are due.
    const creators = await tx
      .select()
      .from(users)
      .where(
        and(
          inArray(
            users.id,
            due.map(({ creatorId }) => creatorId ?? 0),
          ),
          notExists(tx.select().from(projectPreferences).where(isOff)),
        ),
      )
    for (const creator of creators) {
      const accountIds = due.filter(({ creatorId }) => creatorId === creator.id).map(({ accountId }) => accountId)
      for (const accountId of new Set(accountIds))
        await queueNotice(app, tx, creator, 'projects_due', { userId: creator.id, accountId, day: today })
    }
    return found.length
  })
