import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { kill } from '../helpers/clone.ts'
import { expectNothingLeft } from '../helpers/endings.ts'

// Whatever ends a process of `npm start`, all others end. left-behind-dev.test.ts has those of `npm run dev`.

const { clone, linux } = await expectNothingLeft(t, [
  { script: 'start', victim: 'npm', signal: 'SIGKILL' },
  { script: 'start', victim: 'npm', signal: 'SIGTERM' },
  { script: 'start', victim: 'server.ts', signal: 'SIGKILL' },
  { script: 'start', victim: 'the terminal', signal: 'SIGKILL' },
  { script: 'start', processes: 2, victim: 'server/prepare-cluster.ts', signal: 'SIGKILL' },
])

t.test('two starts beside each other share the database, which ends with the second', linux, async (t) => {
  const [one, two] = [await clone.start('start'), await clone.start('start')]
  await Promise.all([one, two].map((run) => run.until('/up', (text) => text.includes('Up'))))
  kill(one.pid, 'SIGKILL')
  while ((await one.running()).some(({ command }) => command.includes('server.ts'))) await sleep(50)
  await sleep(1_500) // the time that the watchdog takes
  t.equal((await two.get('/up/ready', 'application/json')).status, 200)
  kill(two.pid, 'SIGKILL')
  await Promise.all([one.untilGone(), two.untilGone()])
})
