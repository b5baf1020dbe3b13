import { execFileSync } from 'node:child_process'
import t from 'tap'
import { createSecret, sign } from '../../features/webhooks/secrets.ts'
import { curlExample, nodeExample } from '../../pages/webhooks/verification.ts'

const secret = createSecret()
const body = Buffer.from('{"type":"test","data":{}}')

t.test('the lines that receivers copy accept what is signed, and nothing else', async (t) => {
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(nodeExample)}`)
  const at = Math.floor(Date.now() / 1000)
  const headers = (signature: string, time = at) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(time),
    'webhook-signature': signature,
  })
  const right = sign([createSecret(), secret], 'msg_1', at, body)
  t.ok(isGenuine(secret, headers(right), body))
  t.notOk(isGenuine(createSecret(), headers(right), body))
  t.notOk(isGenuine(secret, headers(right), Buffer.from('{}')))
  t.notOk(isGenuine(secret, headers(sign([secret], 'msg_1', at - 600, body), at - 600), body), 'an old one')
})

t.test('the lines for a shell sign as we do', async (t) => {
  const lines = curlExample.replace(/curl "\$URL"[\s\S]*/, 'printf "%s %s" "$at" "$signature"')
  const [at, signature] = execFileSync('bash', ['-c', lines], { env: { ...process.env, SECRET: secret } })
    .toString()
    .split(' ')
  t.equal(`v1,${signature}`, sign([secret], 'msg_1', Number(at), body))
})
