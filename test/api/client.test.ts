import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS from 'openapi-typescript'
import t from 'tap'
import { createToken } from '../helpers/api.ts'
import { listen, sharedApp } from '../helpers/app.ts'
import { childEnvironment } from '../helpers/children.ts'
import { verifiedUp } from '../helpers/people.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const client = `
import type { paths } from './schema.ts'

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
} ? Body : never

export async function get<Path extends keyof paths>(origin: string, path: Path, token: string): Promise<Answer<Path>> {
  const response = await fetch(origin + path, { headers: { authorization: 'Bearer ' + token } })
  if (!response.ok) throw new Error(String(response.status))
  return response.json()
}

export async function nameOfOwner(origin: string, token: string) {
  const me = await get(origin, '/api/v1/me', token)
  if (!('name' in me)) throw new Error('not the token of a person')
  const name: string = me.name
  // @ts-expect-error the document says that it is a number
  const id: string = me.id
  const { data, next } = await get(origin, '/api/v1/accounts', token)
  const roles: ('owner' | 'admin' | 'member')[] = data.map(({ role }) => role)
  const position: number | null = next
  return { name, id, roles, position }
}
`

t.test('a client made from the document compiles, and makes the first request of the guide', async (t) => {
  const { app } = await sharedApp(t)
  const document = (await app.inject('/api/v1/openapi.json')).json()
  t.equal(document.openapi, '3.1.0')
  const guide = readFileSync(join(root, 'docs/api.md'), 'utf8')
  const [, first = ''] = /curl https:\/\/[^/]+(\S+) -H "Authorization: Bearer \$TOKEN"/.exec(guide) ?? []
  t.ok(first in document.paths, 'which the document knows')
  t.match(client, `'${first}'`)

  mkdirSync(join(root, '.data'), { recursive: true })
  const folder = mkdtempSync(join(root, '.data/client-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'schema.ts'), await openapiTS(document))
  writeFileSync(join(folder, 'client.ts'), client)
  const options = '--ignoreConfig --noEmit --strict --allowImportingTsExtensions --types node --lib es2024,dom'
  const modules = '--target es2024 --module esnext --moduleResolution bundler'
  const words = [...options.split(' '), ...modules.split(' '), join(folder, 'client.ts')]
  const env = childEnvironment() // tap's loader breaks the compiler
  execFileSync(join(root, 'node_modules/.bin/tsc'), words, { stdio: 'inherit', env })

  await listen(app)
  const { browser, person, user } = await verifiedUp(app)
  const { nameOfOwner } = await import(join(folder, 'client.ts'))
  const found = await nameOfOwner(app.listeningOrigin, await createToken(browser))
  t.same(found, { name: person.name, id: user.id, roles: ['owner'], position: null })
})
