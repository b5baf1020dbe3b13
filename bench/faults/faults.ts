import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Stage } from './stage.ts'

/** A fault lasts until the promise settles. `skip` returns a reason if it cannot be caused here. */
export type Fault = { name: string; make(stage: Stage): Promise<unknown>; skip?(stage: Stage): string | undefined }

export const faults: Fault[] = [
  { name: 'fast restart', make: ({ server }) => server.restart() },
  { name: 'immediate restart, as after a crash', make: ({ server }) => server.crash() },
  { name: 'the server hangs for 20 s (SIGSTOP)', make: ({ server }) => server.freeze(20_000) },
  { name: 'the server hangs for 45 s (SIGSTOP)', make: ({ server }) => server.freeze(45_000) },
  { name: 'nothing reaches the server for 20 s', make: ({ proxy }) => silence(proxy, 'toServer') },
  { name: 'nothing comes back for 20 s', make: ({ proxy }) => silence(proxy, 'toClient') },
  { name: 'silence both ways for 20 s', make: ({ proxy }) => silence(proxy, 'toServer', 'toClient') },
  { name: 'connections are reset (RST), 20 times', make: ({ proxy }) => breakOff(proxy, 'resetAndDestroy') },
  { name: 'connections are closed (FIN), 20 times', make: ({ proxy }) => breakOff(proxy, 'end') },
  { name: 'random backends are killed, 50 times', make: killBackends },
  { name: 'no connection is left for 10 s', make: exhaust },
  { name: 'the role has time-outs of its own for 5 s', make: timeOut },
  {
    name: 'the disk is full for 8 s',
    make: fillDisk,
    skip: ({ disk }) => (disk ? undefined : 'not made: a small file system may not be mounted here'),
  },
  { name: 'a lock on `users` is held for 20 s', make: lock },
]

type Proxy = Stage['proxy']

async function silence(proxy: Proxy, ...directions: Parameters<Proxy['silence']>) {
  proxy.silence(...directions)
  await sleep(20_000)
  proxy.restore()
}

async function breakOff(proxy: Proxy, ending: Parameters<Proxy['breakAll']>[0]) {
  for (let times = 0; times < 20; times++) {
    proxy.breakAll(ending)
    await sleep(250)
  }
}

async function killBackends({ operator }: Stage) {
  for (let times = 0; times < 50; times++) {
    await operator`
      select pg_terminate_backend(pid) from pg_stat_activity where usename = 'application' order by random() limit 1`
    await sleep(100)
  }
}

const dismissAll = ({ operator }: Stage) =>
  operator`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'application'`

/** Takes all free connections, and then those of the application too. */
async function exhaust(stage: Stage) {
  const crowd: postgres.Sql[] = []
  const until = Date.now() + 10_000
  while (Date.now() < until) {
    while ((await Promise.all(Array.from({ length: 16 }, () => enters(stage.crowd, crowd)))).some(Boolean));
    await dismissAll(stage)
  }
  await Promise.all(crowd.map((client) => client.end({ timeout: 1 })))
}

async function enters(url: string, crowd: postgres.Sql[]) {
  const client = postgres(url, { max: 1, onnotice() {} })
  try {
    await client`select 1`
    crowd.push(client)
    return true
  } catch {
    await client.end({ timeout: 1 })
    return false
  }
}

/** Shorter than the application's own timeouts, and of kinds that it does not set. */
async function timeOut(stage: Stage) {
  await stage.operator`alter role application set idle_session_timeout = '100ms'`
  await stage.operator`alter role application set transaction_timeout = '10ms'`
  await dismissAll(stage)
  await sleep(5000)
  await stage.operator`alter role application reset all`
  await dismissAll(stage)
}

async function fillDisk({ disk = '' }: Stage) {
  const path = join(dirname(disk), 'ballast')
  const ballast = await open(path, 'w')
  try {
    for (const size of [1_048_576, 8192]) while (await ballast.write(Buffer.alloc(size)).catch(() => undefined));
    await sleep(8000)
  } finally {
    await ballast.close()
    await rm(path)
  }
}

function lock({ inside }: Stage) {
  return inside.begin(async (tx) => {
    await tx`lock table users in access exclusive mode`
    await sleep(20_000)
  })
}
