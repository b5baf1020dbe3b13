// What receivers can copy. A test runs both against what is sent.

export const nodeExample = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function isGenuine(secret, headers, body) { // body: the bytes as they came, before they are parsed
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers
  if (!signatures || Math.abs(Date.now() / 1000 - at) > 300) return false // sent again by somebody else
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const right = createHmac('sha256', key).update(\`\${id}.\${at}.\`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === right.length && timingSafeEqual(given, right)
  })
}`

export const curlExample = `id=msg_1 at=$(date +%s) body='{"type":"test","data":{}}'
key=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$at.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl "$URL" -H 'content-type: application/json' -H "webhook-id: $id" -H "webhook-timestamp: $at" \\
  -H "webhook-signature: v1,$signature" -d "$body"`

const details: Record<string, object> = {
  account_renamed: { account_name: 'Acme', from: 'Acme', to: 'Acme Ltd' },
  member_invited: { email: 'bo@example.com', account_name: 'Acme', invitation_id: 7, role: 'member' },
  invitation_revoked: { account_name: 'Acme', invitation_id: 7, role: 'member' },
  invitation_declined: { account_name: 'Acme', invitation_id: 7, role: 'member' },
  member_joined: { account_name: 'Acme', role: 'member' },
  role_changed: { name: 'Bo', account_name: 'Acme', from: 'member', to: 'admin' },
  member_removed: { name: 'Bo', account_name: 'Acme' },
}

/** The body of a delivery of this type. Other types have details of their own. */
export function exampleOf(type: string, account: { slug: string; name: string }) {
  const created_at = '2026-01-31T09:30:00.000Z'
  const about = type.startsWith('webhook_') ? { webhook_id: 1, host: 'example.com' } : {}
  const known = { account_name: account.name, ...about, ...details[type] }
  const activity = { id: 42, type, actor_name: 'Ana', details: known, created_at }
  const { slug, name } = account
  return JSON.stringify({ type, timestamp: created_at, data: { ...activity, account: { slug, name } } }, null, 2)
}
