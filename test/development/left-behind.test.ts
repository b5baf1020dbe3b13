import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { canRun } from '../helpers/authority.ts'
import { cloneProject } from '../helpers/clone.ts'

const clone = await cloneProject(t)
const database = `${clone.folder}/.data/postgres/data/postmaster.pid`
const noTerminal = canRun('script', '--version') ? false : 'script is not installed'

for (const script of ['start', 'dev']) {
  const inTerminal = ['script', '--quiet', '--command', `npm run ${script}`, '/dev/null']
  const endings = [
    { ending: 'npm is told to stop', command: ['npm', 'run', script], signal: 'SIGTERM', skip: false },
    { ending: 'its terminal is closed', command: inTerminal, signal: 'SIGKILL', skip: noTerminal },
  ] as const
  for (const { ending, command, signal, skip } of endings) {
    t.test(`\`npm run ${script}\` and its database end when ${ending}`, { skip }, async (t) => {
      const run = await clone.start(script, {}, [...command])
      await run.until('/up', (text) => text.includes('Up'))
      t.ok(existsSync(database))
      run.kill(signal)
      await run.exit
      while (existsSync(database)) await sleep(50)
      await t.rejects(run.get('/up'))
    })
  }
}

t.test('commands use the database of a server that runs, and leave it to the server', async (t) => {
  const run = await clone.start('start')
  await run.until('/up', (text) => text.includes('Up'))
  const list = await clone.start('users', {}, ['npm', 'run', 'users', '--', 'list'])
  t.same(await list.exit, [0, null], list.output.text)
  t.equal((await run.get('/up/ready', 'application/json')).status, 200)
})
