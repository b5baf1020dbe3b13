import t from 'tap'
import { domainIn, domainOf } from '../../features/single-sign-on/domain-names.ts'
import { findTxtRecord } from '../../features/single-sign-on/records.ts'
import { type DnsAnswer, startDns } from '../helpers/dns.ts'
import { startStopwatch } from '../helpers/proxy.ts'

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

t.test('a record is there, absent, or nobody answers', async (t) => {
  const dns = await startDns(t)
  const name = '_accounts.acme.test'
  const look = (answer: DnsAnswer) => {
    dns.answers.set(name, answer)
    return findTxtRecord([dns.server], name, 'accounts-domain=secret')
  }
  t.same(await look({ texts: [['other'], ['accounts-domain=', 'secret']] }), { answer: 'there' }, 'in two parts')
  const other = [['v=spf1 -all'], ['accounts-domain=secre']]
  t.same(await look({ texts: other }), { answer: 'absent', other: 'accounts-domain=secre' }, 'another value')
  const long = { answer: 'absent', other: 'x'.repeat(100) }
  t.same(await look({ texts: [['x'.repeat(250)]] }), long, 'as much of it as tells which it is')
  t.same(await look({ texts: [] }), { answer: 'absent', other: null }, 'no data')
  t.same(await look({ code: 3 }), { answer: 'absent', other: null }, 'NXDOMAIN')
  t.same(await look({ code: 2 }), { answer: 'unanswered' }, 'SERVFAIL')
  t.same(await look({ code: 5 }), { answer: 'unanswered' }, 'REFUSED')
  const seconds = startStopwatch(t)
  t.same(await look('silence'), { answer: 'unanswered' })
  t.ok(seconds() < 6, 'after five seconds')
})
