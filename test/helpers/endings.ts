import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { cloneProject, kill } from './clone.ts'

type Ending = { script: 'start' | 'dev'; processes?: number; victim: string; signal: NodeJS.Signals }

const linux = { skip: process.platform === 'linux' ? false : 'looks into /proc' }

/** Looks for a database that is still starting, for four more seconds. */
const isWatchdog = (command: string) => command.includes('postgres/stop.ts')

/** Ends one process of a started project after the other, and expects that all others end, the database included. */
export async function expectNothingLeft(t: Test, endings: Ending[]) {
  const clone = await cloneProject(t)
  const runs: Awaited<ReturnType<typeof clone.start>>[] = []

  for (const { script, processes = 1, victim, signal } of endings) {
    const title = `${signal} of ${victim} leaves nothing of \`npm run ${script}\` behind, with processes: ${processes}`
    t.test(title, linux, async (t) => {
      const run = await clone.start(script, { WEB_CONCURRENCY: String(processes) }, victim === 'the terminal')
      runs.push(run)
      await run.until('/up', (text) => text.includes('Up'))
      t.ok((await run.running()).some(({ command }) => command.includes('postgres')))
      kill(victim === 'npm' || victim === 'the terminal' ? run.pid : await run.find(victim), signal)
      while ((await run.running()).some(({ command }) => !isWatchdog(command))) await sleep(50)
    })
  }

  t.test('the watchdogs of the database end as well', linux, async () => {
    for (const run of runs) await run.untilGone()
  })
  return { clone, linux }
}
