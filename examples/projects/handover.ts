import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { projects } from './tables.ts'

/** Whoever leaves a workspace leaves their projects to its managers. */
export const defineHandover = (app: FastifyInstance) =>
  app.onRecorded(['member_left', 'member_removed'], (tx, { accountId, userId }) =>
    tx
      .update(projects)
      .set({ creatorId: null })
      .where(and(eq(projects.accountId, accountId ?? 0), eq(projects.creatorId, userId ?? 0))),
  )
