import type { FastifyInstance } from 'fastify'

declare module '../../../plugins/jobs/index.ts' {
  interface Jobs {
    report: { about: string; email?: string }
    nightly: Record<string, never>
  }
}

type Work = (data: { about: string }, run: { id: string; signal: AbortSignal }) => Promise<unknown>

/** Defines the job `report`. */
export const defineReport = (app: FastifyInstance, work: Work) => app.jobs.define('report', { work })

export const report = (app: FastifyInstance, about: string) =>
  app.db.transaction((tx) => app.jobs.queue(tx, 'report', { about }))
