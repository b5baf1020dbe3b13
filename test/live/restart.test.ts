import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startAcme } from '../helpers/accounts.ts'
import type { Browser } from '../helpers/browser.ts'
import { startOwnPostgres } from '../helpers/postgres.ts'
import { startProcess } from '../helpers/processes.ts'
import { accountIdentifier, type Frame, openStream } from '../helpers/sse.ts'

const identifier = accountIdentifier('acme')
const isConfirmed = ({ type }: Frame) => type === 'confirm_subscription'
const isMessage = ({ message }: Frame) => message !== undefined

type Server = Awaited<ReturnType<typeof startProcess>>

t.test('200 streams survive a restart and a crash of Postgres under load, and so does the process', async (t) => {
  const postgres = await startOwnPostgres(t)
  const server = await startProcess(t, postgres.url)
  const { owner, join } = await startAcme(server.app)
  const people = [owner, ...(await Promise.all(Array.from({ length: 7 }, () => join('admin'))))]
  const ofOne = Array.from({ length: 25 })
  const tabs = await Promise.all(people.flatMap(({ browser }) => ofOne.map(() => openTab(t, server, browser))))

  for (const [name, happens] of Object.entries({ Restarted: postgres.restart, Crashed: postgres.crash })) {
    const load = startLoad(people.map(({ browser }) => browser))
    await happens()
    await Promise.all(tabs.map((tab) => tab.comeBack()))
    t.comment(name, await load.stop())
    t.ok(server.isAlive())
    t.same(server.complaints, [])

    const seen = tabs.map((tab) => tab.frames().length)
    await owner.browser.submit('PATCH', '/acme/settings', { name })
    await Promise.all(tabs.map((tab, n) => tab.receive(isMessage, seen[n])))
    for (const { browser } of people) t.equal((await browser.visit('/acme')).props.account.name, name)
  }
})

/** Acts like a page: when its stream ends, waits as told, opens another and reloads what it may have missed. */
async function openTab(t: Test, { app }: Server, browser: Browser) {
  const open = async () => {
    const stream = await openStream(t, app, browser, [identifier])
    await stream.next(isConfirmed)
    return stream
  }
  let stream = await open()
  return {
    frames: () => stream.frames,
    receive: (matches: (frame: Frame) => boolean, from?: number) => stream.next(matches, from),
    async comeBack() {
      await stream.untilEnded()
      await sleep(stream.retry)
      stream = await open()
      await browser.visit('/acme')
    },
  }
}

/** Reads and writes continuously. In the end, returns how often each status occurred. */
function startLoad(browsers: Browser[]) {
  const statuses: Record<number, number> = {}
  let stopped = false
  const visit = async (browser: Browser) => {
    while (!stopped) {
      const read = await browser.request('GET', '/acme')
      const written = await browser.request('PATCH', '/acme/settings', { body: { name: 'Acme' } })
      for (const { statusCode } of [read, written]) statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    }
  }
  const visitors = browsers.map(visit)
  return {
    async stop() {
      stopped = true
      await Promise.all(visitors)
      return statuses
    },
  }
}
