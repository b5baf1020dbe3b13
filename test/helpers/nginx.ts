import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort } from '../../development/free-port.ts'
import { canRun } from './authority.ts'
import { childEnvironment } from './children.ts'

/** The reason to skip tests that need nginx, or false. */
export const noNginx = canRun('nginx', '-v') ? false : 'nginx is not installed'

/** The sample of the documentation, without TLS, in front of these two ports. */
export async function startNginx(t: Test, ports: [number, number]) {
  const sample = await readFile(new URL('../../docs/proxies/nginx.conf', import.meta.url), 'utf8')
  const redirects = await freePort()
  return start(t, (port) =>
    sample
      .replace(/^pid .*$/m, '')
      .replace('listen 80;', `listen 127.0.0.1:${redirects};`)
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
      .replace(/^ +ssl_.*$/gm, '')
      .replaceAll('10.0.0.11:80', `127.0.0.1:${ports[0]}`)
      .replaceAll('10.0.0.12:80', `127.0.0.1:${ports[1]}`),
  )
}

/** As little as one may write, with nginx's defaults: HTTP/1.0, and a new connection for each request. */
export function startPlainNginx(t: Test, ports: [number, number]) {
  const servers = ports.map((port) => `server 127.0.0.1:${port};`).join(' ')
  return start(
    t,
    (port) => `
      events {}
      http {
        access_log off;
        upstream application { ${servers} }
        server { listen 127.0.0.1:${port}; location / { proxy_pass http://application; } }
      }`,
  )
}

async function start(t: Test, configure: (port: number) => string) {
  const folder = t.testdir()
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  const common = `pid ${folder}/pid; daemon off; error_log stderr;\n`
  const configuration = configure(port).replace('http {', `http {\n${temporary.join('\n')}`)
  await writeFile(`${folder}/nginx.conf`, common + configuration)
  const nginx = spawn('nginx', ['-c', `${folder}/nginx.conf`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: childEnvironment(),
  })
  t.teardown(() => nginx.kill('SIGTERM'))
  const log = { text: '' }
  nginx.stderr.on('data', (chunk) => (log.text += chunk))
  const origin = `http://127.0.0.1:${port}`
  while (!(await fetch(`${origin}/up`).catch(() => undefined))?.ok) {
    if (nginx.exitCode !== null) throw new Error(log.text)
    await sleep(20)
  }
  return {
    origin,
    /** What it says of instances that don't answer as they should. */
    failures: () => log.text.split('\n').filter((line) => line.includes('upstream')),
  }
}
