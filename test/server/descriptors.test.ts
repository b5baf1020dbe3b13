import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { freePort } from '../../development/free-port.ts'
import { childEnvironment } from '../helpers/children.ts'
import { createDatabase } from '../helpers/database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const skip = process.platform === 'linux' ? false : 'only Linux tells the limit'

for (const WEB_CONCURRENCY of ['1', '2']) {
  t.test(`more connections than open files are allowed end no process (${WEB_CONCURRENCY})`, { skip }, async (t) => {
    const port = await freePort()
    const metricsPort = await freePort()
    const env = {
      ...childEnvironment(),
      NODE_ENV: 'production',
      SECRET_KEY_BASE: 'what signs the cookies of a test has to be long, and need not be secret, as nobody signs in',
      DATABASE_URL: await createDatabase(t),
      HOST: 'http://localhost:3000',
      BIND: '127.0.0.1',
      MAILER_HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      WEB_CONCURRENCY,
    }
    const command = `ulimit -n 512; exec '${process.execPath}' server.ts`
    const child = spawn('sh', ['-c', command], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => child.kill('SIGKILL'))
    let said = ''
    child.stdout.on('data', (text) => (said += text))
    const visit = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
    const isUp = () =>
      visit('/up').then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isUp())) await sleep(25)

    let closed = 0
    const crowd = Array.from({ length: 1000 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .on('close', () => closed++),
    )
    t.teardown(() => leave(crowd))
    await once(child.stdout, 'data')
    // Counted here, because of several processes the supervisor may close those that it cannot accept.
    while (closed < 500) await sleep(25)
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    t.ok(Number(/^http_connections_dropped_total (\d+)$/m.exec(await metrics())?.[1]) > 0)
    await sleep(1100) // whatever asks for the memory once a second has done so
    leave(crowd)
    while (!(await isUp())) await sleep(25)
    t.equal((await visit('/up/ready')).status, 200)
    t.equal((await visit('/sign_in')).status, 200)
    t.equal(child.exitCode, null)

    const lines = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const told = 'dropping connections: open file limit reached'
    t.ok(lines.length > 0 && lines.length <= Number(WEB_CONCURRENCY), 'one of each process, once a minute')
    for (const line of lines) t.match(line, { level: 40, limit: 512, connections: Number, msg: told })
    child.kill('SIGTERM')
    t.same(await once(child, 'exit'), [0, null])
  })
}

function leave(crowd: Socket[]) {
  for (const socket of crowd) socket.destroy()
}
