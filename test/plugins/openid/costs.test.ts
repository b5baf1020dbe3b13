import type { ServerResponse } from 'node:http'
import t from 'tap'
import { guardedFetch } from '../../../plugins/http/guarded-fetch.ts'
import { openIdClient } from '../../../plugins/openid/openid.ts'
import { client, type Lies, startIssuer } from '../../helpers/issuer.ts'

const issuer = await startIssuer(t)
const provider = { id: 'oidc', name: 'Acme ID', url: issuer.url, clientId: client.id, clientSecret: client.secret }
const rules = { isEmailVerified: () => true, wanted: ['email', 'name'], secretIn: 'header' as const }
const options = { fetch: guardedFetch({ allowPrivate: true }), redirectUri: 'http://localhost:3000/callback' }
const secrets = { state: 'state', nonce: 'nonce', verifier: 'verifier'.repeat(6) }

/** Discovery, keys, token and userinfo: all that a provider is asked for one person. Returns the reason of a refusal. */
async function signIn(lies: Lies) {
  issuer.state.instead = lies.instead
  const asked = openIdClient(provider, rules, options)
  try {
    const authorization = await asked.begin(secrets)
    const { searchParams } = new URL(issuer.back(String(authorization), { sub: 'ada' }, lies), issuer.url)
    await asked.finish(searchParams, secrets)
    return 'signed in'
  } catch (error) {
    return (error as { reason?: string }).reason ?? 'unreachable'
  }
}

/** Of the whole process, the provider included: the least of three. */
async function cpuMsOf(lies: Lies) {
  const costs: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage()
    await signIn(lies)
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1_000)
  }
  return Math.min(...costs)
}

const { keys } = (await (await fetch(`${issuer.url}/keys`)).json()) as { keys: object[] }

const json =
  (text: string, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text)
const instead = (path: string, answer: (response: ServerResponse) => void): Lies => ({ instead: { [path]: answer } })
const withKeys = (...more: object[]) => instead('/keys', json(JSON.stringify({ keys: [...keys, ...more] })))
const listOf = <Item>(count: number, item: (n: number) => Item) => Array.from({ length: count }, (_, n) => item(n))

await signIn({}) // which loads what is loaded at the first use

t.test('keys with endless members, and many keys, cost no more than honest ones', async (t) => {
  const honest = await cpuMsOf({})
  t.equal(await signIn({}), 'signed in')
  const [own] = keys
  const operations = { ...own, key_ops: listOf(20_000, (n) => `op-${n}`) }
  const lies: Record<string, [Lies, string]> = {
    'operations within 256 KiB': [instead('/keys', json(JSON.stringify({ keys: [operations] }))), 'signed in'],
    '150,000 operations': [withKeys({ ...own, key_ops: listOf(150_000, (n) => `${n}`) }), 'too_large'],
    'a hundred and one keys': [withKeys(...listOf(100, (n) => ({ ...own, kid: `k${n}` }))), 'too_many_keys'],
    'a key with a long name': [withKeys({ ...own, kid: 'x'.repeat(200_000) }), 'signed in'],
    'a key whose modulus has a million bits': [
      instead('/keys', json(JSON.stringify({ keys: [{ ...own, n: 'z'.repeat(200_000) }] }))),
      'err_jwks_no_matching_key',
    ],
    'keys that are nothing': [withKeys(...listOf(60, () => null as unknown as object)), 'signed in'],
  }
  for (const [name, [lie, outcome]] of Object.entries(lies)) {
    t.equal(await signIn(lie), outcome, name)
    const cost = await cpuMsOf(lie)
    t.ok(cost <= 10 * honest, `${name}: ${cost.toFixed(1)} ms, honest ${honest.toFixed(1)} ms`)
  }
})
