import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { childEnvironment } from '../helpers/children.ts'

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
const dockerfile = await read('Dockerfile')

t.test('the image runs the Node that the project was tested with', async (t) => {
  const { devDependencies } = JSON.parse(await read('package.json'))
  const [major] = devDependencies.node.split('.')
  t.match(dockerfile, `\nARG BASE=node:${major}-bookworm-slim\n`)
  const from = Array.from(dockerfile.matchAll(/^FROM \$?\{?(\w+)/gm), ([, image]) => image)
  t.same(new Set(from), new Set(['BASE', 'base']))
  for (const file of [dockerfile, await read('compose.yml')]) {
    t.match(file, `node:${devDependencies.node}-bookworm-slim`, 'precisely, for who wants that')
  }
})

t.test("the image's health check passes if /up is 200, and not otherwise", async (t) => {
  const [command, ...args]: string[] = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]')
  t.not(command, 'node', 'which would cost more than many requests')
  const check = async (port: number) => {
    const child = spawn(command ?? '', args, { env: { ...childEnvironment(), PORT: String(port) }, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    return code === 0
  }
  const { app } = await startApp(t)
  const up = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  t.ok(await check(Number(up.port)))

  const broken = createServer((_request, response) => response.writeHead(500).end())
  await once(broken.listen(0, '127.0.0.1'), 'listening')
  const { port } = broken.address() as AddressInfo
  t.notOk(await check(port))
  broken.close()
  await once(broken, 'close')
  t.notOk(await check(port))
})
