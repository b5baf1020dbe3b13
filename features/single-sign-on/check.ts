import type { Database } from '../../plugins/database/index.ts'
import { guardedFetch } from '../../plugins/http/guarded-fetch.ts'
import { accepted } from '../../plugins/openid/failures.ts'
import type { Keys } from '../../plugins/security/keys.ts'
import { createSealing } from '../../plugins/security/sealing.ts'
import { connectionAt, createClients } from './connections.ts'
import { domainsOf } from './domains.ts'
import { singleSignOnPaths } from './paths.ts'

type Site = { origin: string; singleSignOn: { allowPrivateIssuers: boolean } | undefined; keys: Keys }

/** The provider that a workspace has connected, asked in the same way. */
export async function checkSingleSignOn(db: Database, { origin, singleSignOn, keys }: Site, slug: string) {
  const connected = await connectionAt(db, slug)
  if (!connected) throw new Error('there is no such workspace, or it has no provider')
  if (!singleSignOn) throw new Error('SSO is off')
  const fetch = guardedFetch({ allowPrivate: singleSignOn.allowPrivateIssuers })
  const clients = createClients({ sealing: createSealing(keys), origin, fetch })
  await accepted(async () => clients(connected).check(), { private_address: 'set SSO_PRIVATE_ISSUERS=allow' })
  const redirectUri = origin + singleSignOnPaths.singleSignOnCallback(slug).url
  const verified = (await domainsOf(db, connected.account.id)).filter(({ verifiedAt }) => verifiedAt !== null)
  const names = verified.map(({ domain }) => domain).join(', ')
  const domains = names ? `verified domains: ${names}` : 'no domain is verified'
  return `accepts the client ID and secret; register ${redirectUri} as redirect URI; ${domains}`
}
