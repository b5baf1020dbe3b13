import { guardedFetch } from '../../../plugins/http/guarded-fetch.ts'
import { openIdClient } from '../../../plugins/openid/openid.ts'
import { client, type Lies, startIssuer } from '../../helpers/issuer.ts'
import type { Owner } from '../../helpers/owner.ts'

const rules = { isEmailVerified: () => true, wanted: ['email', 'name'], secretIn: 'header' as const }
const options = { fetch: guardedFetch({ allowPrivate: true }), redirectUri: 'http://localhost:3000/callback' }
const secrets = { state: 'state', nonce: 'nonce', verifier: 'verifier'.repeat(6) }

/** A provider, and a client of its own for everybody who signs in. */
export async function startAsking(owner: Owner) {
  const issuer = await startIssuer(owner)
  const provider = { id: 'oidc', name: 'Acme ID', url: issuer.url, clientId: client.id, clientSecret: client.secret }

  /** Discovery, keys, token and userinfo: all that a provider is asked for one person. Returns why it is refused. */
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

  return { issuer, signIn }
}
