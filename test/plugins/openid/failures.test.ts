import t from 'tap'
import { freePort } from '../../../development/free-port.ts'
import { guardedFetch } from '../../../plugins/http/guarded-fetch.ts'
import { boundedBy } from '../../../plugins/openid/bounds.ts'
import { ProviderUnavailable } from '../../../plugins/openid/failures.ts'

t.test('that a provider is out of reach has its reason', async (t) => {
  const reasonOf = (fetch: typeof globalThis.fetch, url: string) =>
    boundedBy(fetch, { maxBytes: 1_000 })(url).catch(({ reason }) => reason)
  const failing = (error: Error) => async () => Promise.reject(new TypeError('fetch failed', { cause: error }))
  const coded = (code: string) => failing(Object.assign(new Error('no'), { code }))
  const url = 'https://login.example.com/'
  t.equal(await reasonOf(guardedFetch(), 'https://10.0.0.1/'), 'private_address')
  t.equal(await reasonOf(fetch, `http://127.0.0.1:${await freePort()}/`), 'refused')
  const codes = { ENOTFOUND: 'dns', EAI_AGAIN: 'dns', CERT_HAS_EXPIRED: 'tls', UND_ERR_CONNECT_TIMEOUT: 'late' }
  for (const [code, reason] of Object.entries({ ...codes, DEPTH_ZERO_SELF_SIGNED_CERT: 'tls', EWHAT: 'unreachable' }))
    t.equal(await reasonOf(coded(code), url), reason, code)
  t.equal(await reasonOf(failing(new DOMException('late', 'TimeoutError')), url), 'late')
  t.equal(await reasonOf(async () => new Response('', { status: 503 }), url), 'it_answers_503')
  t.equal(new ProviderUnavailable('it says so itself').reason, 'it_says_so_itself')
})
