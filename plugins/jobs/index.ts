import fp from 'fastify-plugin'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Tx } from '../database/index.ts'
import { instrument } from '../instrumentation.ts'
import { definitionOf } from '../queues/definitions.ts'
import { crons, jobs } from '../queues/settings.ts'

/**
 * Every job by name, with its data: ids, rather than what may change or is secret. An address is always called `email`,
 * so that the job goes with its owner. Those of a copy may be added by declaration merging.
 */
export interface Jobs {
  discard_mails: NoData
  sweep: NoData
}
type NoData = Record<string, never>

type Name = keyof Jobs & string

type Run = {
  /** Shared by all tries of the same job, to recognise what was done already. */
  id: string
  /** Aborted when the process shuts down, or when a try has taken 15 minutes (50 for one with `cron`). */
  signal: AbortSignal
}

type Definition<Data> = {
  /**
   * May run twice, if a process dies at its end. If it throws, it is tried again, up to seven times in about an hour,
   * and then kept for operators.
   */
  work(data: Data, run: Run): Promise<unknown>
  /** When it runs by itself, in UTC: once in all processes, and never beside an earlier run. Tried four times. */
  cron?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    jobs: {
      define<N extends Name>(name: N, job: Definition<Jobs[N]>): void
      /** Queues a job in the transaction: it runs after the commit, and never after a rollback. */
      queue<N extends Name>(tx: Tx, name: N, data: Jobs[N], options?: { startAfter?: Date }): Promise<void>
      /** Starts running jobs in this process. */
      work(): Promise<void>
    }
  }
}

type Job = JobWithMetadata<{ job: string }>

/** Adds `app.jobs`, for what takes long, may fail or happens by the clock. Mails are `app.mail`. */
export default fp(
  async (app) => {
    const definitions = new Map<string, Definition<never>>()
    const closing = new AbortController()

    async function run({ id, data: { job, ...data }, retryCount, retryLimit, ...claimed }: Job): Promise<JobResult> {
      const signal = AbortSignal.any([claimed.signal, closing.signal])
      const about = { job, id, try: retryCount + 1 }
      try {
        await definitionOf(definitions, 'job', job).work(data as never, { id: claimed.sourceRootId ?? id, signal })
        app.log.info(about, 'job done')
        instrument('job', { outcome: 'done' })
        return { id, status: 'completed' }
      } catch (err) {
        const isFinal = retryCount >= retryLimit
        app.log[isFinal ? 'error' : 'warn']({ ...about, err }, isFinal ? 'job given up' : 'job failed')
        instrument('job', { outcome: isFinal ? 'given_up' : 'failed' })
        // Only the code is kept: a message may quote personal data.
        const { name, code } = err as { name?: string; code?: unknown }
        return { id, status: 'failed', output: { code: typeof code === 'string' ? code : name } }
      }
    }

    /** Of what other versions scheduled, nothing is left. */
    async function schedule(boss: PgBoss) {
      for (const [job, { cron }] of definitions) {
        if (cron) await boss.schedule(crons, cron, { job }, { key: job, singletonKey: job })
      }
      for (const { key } of await boss.getSchedules(crons)) {
        if (!definitions.get(key)?.cron) await boss.unschedule(crons, key)
      }
    }

    app.decorate('jobs', {
      define: (name, job) => void definitions.set(name, job),
      async queue(tx, job, data, given) {
        const { cron } = definitionOf(definitions, 'job', job)
        const options = cron ? { ...given, singletonKey: job } : given
        await app.queues.add(tx, cron ? crons : jobs, { job, ...data }, options)
      },
      async work() {
        const { boss, work } = await app.queues.open()
        await work(jobs, run)
        await work(crons, async (job: Job) => {
          await schedule(boss) // During an update, a process of the older version may have started last.
          return run(job)
        })
        await schedule(boss)
      },
    })

    app.addHook('preClose', async () => closing.abort())
  },
  { name: 'jobs', dependencies: ['queues'] },
)
