import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { freePort } from '../../development/free-port.ts'
import { childEnvironment, mark } from '../helpers/children.ts'
import { kill } from '../helpers/clone.ts'
import { createDatabase } from '../helpers/database.ts'
import { expectNothingLeft } from '../helpers/endings.ts'
import { processesWith } from '../helpers/marked.ts'

const { clone, linux } = await expectNothingLeft(t, [
  { script: 'dev', victim: 'npm', signal: 'SIGKILL' },
  { script: 'dev', victim: 'development/dev/run.ts', signal: 'SIGKILL' },
])

t.test('a server that npm did not start stays when its parent ends, also without an input', linux, async (t) => {
  const port = String(await freePort())
  const shell = spawn('sh', ['-c', 'setsid node server.ts < /dev/null > /dev/null 2>&1 & echo $!; read _'], {
    cwd: clone.folder,
    env: { ...childEnvironment(), PORT: port, DATABASE_URL: await createDatabase(t) },
  })
  const [text] = await once(shell.stdout, 'data')
  t.teardown(() => kill(Number(text), 'SIGKILL'))
  const isUp = () =>
    fetch(`http://localhost:${port}/up`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isUp())) await sleep(50)
  shell.kill('SIGKILL')
  await sleep(2_500) // more than twice the time in which npm would be missed
  t.ok(await isUp())
})

t.test('the processes that a test started end when it is killed', linux, async (t) => {
  const test = spawn(process.execPath, [fileURLToPath(new URL('dying.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => test.kill('SIGKILL'))
  const variable = `${mark}=${String((await once(test.stdout, 'data'))[0]).trim()}`
  t.same(
    (await processesWith(variable)).map(({ command }) => command),
    ['sleep 600'],
  )
  test.kill('SIGKILL')
  while ((await processesWith(variable)).length > 0) await sleep(50)
})
