import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { findTxtRecord } from '../../../features/auth/single-sign-on/dns.ts'
import { domainIn, domainOf } from '../../../features/auth/single-sign-on/domain-names.ts'

t.test('domains are compared in lower case, with A-labels', async (t) => {
  t.same(['Acme.TEST', ' acme.test ', 'MÜNCHEN.de'].map(domainIn), ['acme.test', 'acme.test', 'xn--mnchen-3ya.de'])
  const invalid = [
    ...['', 'acme', 'localhost', 'ana@acme.test', 'https://acme.test', 'acme.test/', 'acme.test:80', '1.2.3.4', '1.2'],
    ...['[::1]', 'acme..test', '.acme.test', 'acme.test.', '-acme.test', 'ac_me.test', 'x%2ede', 'a b.test'],
    `${'a'.repeat(64)}.test`,
    `${'a.'.repeat(125)}test`,
  ]
  t.same(
    invalid.filter((typed) => domainIn(typed) !== undefined),
    [],
  )
  t.equal(domainOf('ana@sub.ACME.test'), 'sub.acme.test')
})

/** A DNS server for one name. `undefined` is silence. */
async function startDns(t: Test, answer: { code: number; texts: string[][] } | undefined) {
  const socket = createSocket('udp4')
  t.teardown(() => socket.close())
  socket.on('message', (query, from) => {
    if (!answer) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const header = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x84,
      answer.code,
      0,
      1,
      0,
      answer.texts.length,
      0,
      0,
      0,
      0,
    ])
    const records = answer.texts.map((parts) => {
      const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])))
      return Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
    })
    socket.send(Buffer.concat([header, question, ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return [`127.0.0.1:${socket.address().port}`]
}

t.test('a record is there, absent, or nobody answers', async (t) => {
  const look = async (answer: Parameters<typeof startDns>[1]) =>
    findTxtRecord(await startDns(t, answer), '_accounts.acme.test', 'accounts-domain=secret')
  t.equal(await look({ code: 0, texts: [['other'], ['accounts-domain=', 'secret']] }), 'there', 'in two parts')
  t.equal(await look({ code: 0, texts: [['accounts-domain=secre']] }), 'absent', 'another value')
  t.equal(await look({ code: 0, texts: [] }), 'absent', 'no data')
  t.equal(await look({ code: 3, texts: [] }), 'absent', 'NXDOMAIN')
  t.equal(await look({ code: 2, texts: [] }), 'unanswered', 'SERVFAIL')
  t.equal(await look({ code: 5, texts: [] }), 'unanswered', 'REFUSED')
  const began = performance.now()
  t.equal(await look(undefined), 'unanswered', 'silence')
  t.ok(performance.now() - began < 6_000, 'after five seconds')
})
