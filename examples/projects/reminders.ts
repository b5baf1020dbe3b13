import { and, asc, between, eq, inArray, notExists, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { recordAccountActivity } from '../../features/accounts/index.ts'
import { queueNotice } from '../../features/auth/notices.ts'
import { addDays, dayOf } from '../../plugins/languages/days.ts'
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
 * `remindedOf` set, and two at once skip each other's rows.
 */
const remind = (app: FastifyInstance) =>
  app.db.transaction(async (tx) => {
    const today = dayOf(app.now())
    const due = await tx
      .select()
      .from(projects)
      .where(
        and(
          between(projects.dueOn, today, addDays(today, 1)),
          sql`${projects.remindedOf} is distinct from ${projects.dueOn}`,
        ),
      )
      .orderBy(asc(projects.id))
      .limit(batchSize)
      .for('update', { skipLocked: true })
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
    return due.length
  })
