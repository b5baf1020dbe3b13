import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import { childrenOf } from '../../test/helpers/postgres.ts'
import { senders } from './options.ts'
import type { Stage } from './stage.ts'

/** Each lasts until its promise settles. */
export const faults: Record<string, (stage: Stage) => Promise<unknown>> = {
  'Postgres is killed (kill -9) and started again': async ({ server }) => {
    process.kill(await server.pid(), 'SIGKILL')
    await server.restart()
  },
  'Postgres restarts (fast)': ({ server }) => server.restart(),
  'backends are terminated, 50 times': async ({ operator }) => {
    for (let times = 0; times < 50; times++) {
      await operator`select pg_terminate_backend(pid) from (${ours(operator)}) ours order by random() limit 1`
      await sleep(100)
    }
  },
  'the host of Postgres is silent for 20 s': async ({ proxy }) => {
    proxy.freeze()
    await sleep(20_000)
    proxy.restore()
  },
  'Postgres hangs for 20 s (SIGSTOP)': ({ server }) => server.freeze(20_000),
  'no connection to Postgres is left for 10 s': async ({ server, operator, open }) => {
    const crowd: postgres.Sql[] = []
    const until = Date.now() + 10_000
    while (Date.now() < until) {
      const client = open(server.url)
      crowd.push(client)
      await client`select 1`.catch(() => operator`select pg_terminate_backend(pid) from (${ours(operator)}) ours`)
    }
    await Promise.all(crowd.map((client) => client.end()))
  },
  'all pools are full for 10 s (a lock on users)': ({ server, open }) =>
    open(server.url).begin(async (tx) => {
      await tx`lock table users in access exclusive mode`
      await sleep(10_000)
    }),
  'the mail server is gone for 20 s': async ({ smtp }) => {
    await smtp.stop()
    await sleep(20_000)
    await smtp.start()
  },
  'a process of the server is killed (kill -9) while it sends mails': async ({ app, smtp }) => {
    const release = smtp.hold()
    await sleep(2000)
    process.kill((await childrenOf(app.pid))[0] as number, 'SIGKILL')
    smtp.accept()
    release()
  },
  ...Object.assign({}, ...senders.map((each) => each.faults)),
  'all processes of a server get SIGTERM, and it starts again': async (stage) => {
    const { app, startApp } = stage
    for (const pid of [app.pid, ...(await childrenOf(app.pid))]) process.kill(pid, 'SIGTERM')
    await app.exited
    stage.app = await startApp({ PORT: app.port })
  },
  'the host vanishes, a standby is promoted behind its address': async (stage) => {
    const { server, standby, proxy, operator, open } = stage
    await operator`alter system set synchronous_standby_names = '*'`
    await operator`select pg_reload_conf()`
    while ((await operator`select from pg_stat_replication where sync_state = 'sync'`).length === 0) await sleep(50)
    await sleep(1000) // for commits that did not wait yet
    proxy.moveTo(standby.url)
    process.kill(await server.pid(), 'SIGKILL')
    stage.operator = open(standby.url)
    await sleep(3000) // in which the address leads to a server that only reads
    await stage.operator`select pg_promote()`
  },
}

const ours = (sql: postgres.Sql) => sql`select pid from pg_stat_activity where application_name like 'accounts%'`
