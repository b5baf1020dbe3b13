import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { authority, canRun, noCertificates } from '../helpers/authority.ts'
import { childEnvironment } from '../helpers/children.ts'
import { createDatabase } from '../helpers/database.ts'
import { accountIdentifier, streamUrl } from '../helpers/sse.ts'
import { skip as noBrowser, openAt } from './chromium.ts'
import { walk } from './walk.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The ports and folder named in a sample, and their values on this machine. */
type Place = { folder: string; port: number; plainPort: number; instances: number[] }

const proxies = {
  nginx: {
    missing: !canRun('nginx', '-v'),
    sample: 'nginx.conf',
    reload: true,
    command: (file: string) => ['nginx', '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
    here: ({ folder, port, plainPort }: Place): [string, string][] => [
      ['pid /run/nginx.pid;', `pid ${folder}/nginx.pid;`],
      ['    listen 80;\n', `    listen 127.0.0.1:${plainPort};\n`],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['/etc/ssl/app.example.com.crt', `${folder}/server.crt`],
      ['/etc/ssl/private/app.example.com.key', `${folder}/server.key`],
      ['    access_log off;', `    access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};`],
    ],
  },
  Caddy: {
    missing: !canRun('caddy', 'version'),
    sample: 'Caddyfile',
    reload: false,
    command: (file: string) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
    here: ({ folder, port }: Place): [string, string][] => [
      [
        'app.example.com {\n',
        `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n\n` +
          `localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/server.crt ${folder}/server.key\n`,
      ],
    ],
  },
}

for (const [name, proxy] of Object.entries(proxies)) {
  const skip =
    (!process.env.PROXIES && '`npm run proxies` does it, in its own time') ||
    (proxy.missing && `${name} is not installed`) ||
    noCertificates ||
    noBrowser
  t.test(`while two instances behind ${name} are restarted in turn, no request fails`, { skip }, async (t) => {
    const port = await freePort()
    const origin = `https://localhost:${port}`
    const DATABASE_URL = await createDatabase(t)
    const instances = [await startInstance(t, origin, DATABASE_URL), await startInstance(t, origin, DATABASE_URL)]
    const { certificate, leaveOut } = await startSample(t, proxy, {
      port,
      plainPort: await freePort(),
      instances: instances.map(({ port }) => port),
    })
    const open = await openAt(t, origin)
    const page = await open({ ignoreHTTPSErrors: true })

    let walking = true
    let visiting = true
    const walked = walk(t, page).finally(() => {
      walking = false
    })
    const restartInTurn = async () => {
      do {
        for (const instance of instances) {
          await leaveOut(instance.port)
          await instance.restart()
          await leaveOut()
          await instance.hasVisitors()
        }
      } while (walking)
    }
    const visit = async (method: string, expected: number) => {
      while (visiting) {
        const session = connect(origin, { ca: certificate })
        // A reloading proxy ends its connections, so open another one, like a browser.
        for (let visits = 0; visiting && visits < 100 && !session.closed; visits++) {
          const status = await ask(session, method)
          if (status !== expected && status !== 'not taken') t.fail(`${method} was answered with ${status}`)
        }
        session.close()
      }
    }
    const done = Promise.all([walked, restartInTurn()]).finally(() => {
      visiting = false
    })
    // The application rejects a POST without its token.
    await Promise.all([done, visit('GET', 200), visit('POST', 422)])

    const session = connect(origin, { ca: certificate })
    t.teardown(() => session.destroy())
    const cookies = await page.context().cookies()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    t.match(await firstOf(session, streamUrl([accountIdentifier('ana-garcia')]), cookie), 'confirm_subscription')
  })
}

/** Starts the server as in the image, with a function to restart it on its port. */
async function startInstance(t: Test, HOST: string, DATABASE_URL: string) {
  const port = await freePort()
  const settings = {
    NODE_ENV: 'production',
    SECRET_KEY_BASE: 'a secret that several instances know, as long as it has to be: 64 characters and more',
    APP_NAME: 'Acme Accounts',
    HOST,
    DATABASE_URL,
    PORT: String(port),
    BIND: '127.0.0.1',
    DATABASE_POOL: '4',
    DRAIN_SECONDS: '2',
  }
  const start = async () => {
    const child = spawn(process.execPath, ['server.ts'], { cwd: root, env: { ...childEnvironment(), ...settings } })
    t.teardown(() => child.kill('SIGKILL'))
    const exit = once(child, 'exit')
    let visitors = 0
    child.stdout.on('data', (lines) => {
      if (String(lines).includes('"msg":"request"')) visitors++
    })
    child.stderr.resume()
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/up/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error('an instance did not start')
      await sleep(25)
    }
    const hasVisitors = async () => {
      while (visitors === 0) await sleep(25)
    }
    return { child, exit, hasVisitors }
  }
  let { child, exit, hasVisitors } = await start()
  return {
    port,
    /** Resolves once the proxy has noticed that it is back. */
    hasVisitors: () => hasVisitors(),
    async restart() {
      child.kill('SIGTERM')
      t.same(await exit, [0, null])
      ;({ child, exit, hasVisitors } = await start())
    },
  }
}

type Proxy = (typeof proxies)[keyof typeof proxies]

/** The file from the documentation, with only its addresses replaced. */
async function startSample(t: Test, { sample, command, reload, here }: Proxy, place: Omit<Place, 'folder'>) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-proxy-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { server, certificate } = await authority(t)
  await writeFile(join(folder, 'server.crt'), server.certificate)
  await writeFile(join(folder, 'server.key'), server.key)

  const given = await readFile(join(root, 'docs/proxies', sample), 'utf8')
  const addresses = place.instances.map((port, at): [string, string] => [`10.0.0.1${at + 1}:80`, `127.0.0.1:${port}`])
  const changes = [...here({ ...place, folder }), ...addresses]
  for (const [there] of changes) t.ok(given.includes(there), `the sample has ${there}`)
  const configuration = changes.reduce((text, [there, ours]) => text.replaceAll(there, ours), given)
  const file = join(folder, sample)
  await writeFile(file, configuration)
  /** As the sample describes. Proxies with health checks need no notice. */
  const leaveOut = async (port?: number) => {
    if (!reload) return
    await writeFile(file, configuration.replaceAll(`server 127.0.0.1:${port} `, '$&down '))
    child.kill('SIGHUP')
  }

  const [program = '', ...args] = command(file)
  const child = spawn(program, args, {
    env: { ...childEnvironment(), HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)))
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await exit
  })
  for (;;) {
    if (await isListening(place.port)) return { certificate, leaveOut }
    if (child.exitCode !== null) throw new Error(said.join(''))
    await sleep(50)
  }
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = dial({ port, host: '127.0.0.1' })
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
  })

const headersOf = (method: string, path: string) => ({ ':method': method, ':path': path, 'user-agent': chrome })

/**
 * The status. A connection that is about to end may not accept more, which is not a failure but a reason to use another
 * (RFC 9113, 8.7).
 */
async function ask(session: ClientHttp2Session, method: string) {
  if (session.closed || session.destroyed) return 'not taken'
  const request = session.request({ ...headersOf(method, '/sign_in'), accept: 'text/html' })
  request.end()
  try {
    const [headers] = await once(request, 'response')
    for await (const _ of request);
    return Number(headers[':status'])
  } catch (error) {
    if (request.rstCode === constants.NGHTTP2_REFUSED_STREAM) return 'not taken'
    throw error
  }
}

/** The first event of a stream that is still open. */
async function firstOf(session: ClientHttp2Session, path: string, cookie: string) {
  const request = session.request({ ...headersOf('GET', path), accept: 'text/event-stream', cookie })
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.includes('\n\n') && text.includes('data:')) break
  }
  return text
}
