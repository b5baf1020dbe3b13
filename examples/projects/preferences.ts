import { asc, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { changePassword, defineNotice, type NoticeIds, recordWithNotice } from '../../features/auth/notices.ts'
import type { Session } from '../../features/auth/reauthentication/index.ts'
import type { Database } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { SignedOut, sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { projectPaths } from './paths.ts'
import { projectPreferences, projects } from './tables.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    project_reminders_changed: NoticeIds
  }
}

export function definePreferences(app: FastifyInstance) {
  app.exportParts.set('projects', (userId) => exportOf(app.db, userId))
  defineNotice(app, 'project_reminders_changed', ({ details }) => ({
    subject: details.on ? text('Reminders of projects are on') : text('Reminders of projects are off'),
    preheader: text('Check that it was you who changed it.'),
    paragraphs: [
      details.on
        ? text('From now on we remind you of projects that are due.')
        : text('From now on we do not remind you of projects that are due.'),
    ],
    advice: [text("If this wasn't you, someone else was signed in as you. Change your password.")],
    action: changePassword,
    secondaryAction: { label: text('See your reminders'), url: projectPaths.projectPreferences().url },
  }))
}

/** On, unless somebody has turned them off: nobody has a row before that. */
export async function hasReminders(db: Database, userId: number) {
  const [row] = await db.select().from(projectPreferences).where(eq(projectPreferences.userId, userId))
  return row?.reminders ?? true
}

export function checkReminders(given: string | null | undefined) {
  if (given !== 'on' && given !== 'off') throw new Invalid({ reminders: [text('is not included in the list')] })
  return given === 'on'
}

/** Throws SignedOut. */
export const changeReminders = (app: FastifyInstance, { userId, token }: Session, reminders: boolean) =>
  sessionTransaction(app.db, token, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    if (!user) throw new SignedOut()
    const before = await tx.$count(projectPreferences, sql`user_id = ${userId} and not reminders`)
    if ((before === 0) === reminders) return
    await tx
      .insert(projectPreferences)
      .values({ userId, reminders })
      .onConflictDoUpdate({ target: projectPreferences.userId, set: { reminders } })
    await recordWithNotice(app, tx, user, 'project_reminders_changed', { on: reminders })
  })

/** What the person chose and wrote. */
async function exportOf(db: Database, userId: number) {
  const written = await db.select().from(projects).where(eq(projects.creatorId, userId)).orderBy(asc(projects.id))
  return {
    reminders: await hasReminders(db, userId),
    created: written.map(({ name, client, dueOn }) => ({ name, client, due_on: dueOn })),
  }
}
