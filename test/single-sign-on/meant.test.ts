import t from 'tap'
import { domainMeant, issuerMeant } from '../../pages/single-sign-on/meant.ts'

t.test('a domain is understood in the address of a page or of a person', async (t) => {
  for (const typed of [
    ' acme.test ',
    'https://acme.test/x?y#z',
    'www.acme.test',
    'HTTP://acme.test',
    'acme.test:8443/',
    'ada@acme.test',
    'mailto:ada@acme.test?subject=x',
    'https://ada:secret@acme.test:443/',
  ])
    t.equal(domainMeant(typed), 'acme.test', typed)
  t.equal(domainMeant('https://münchen.test/'), 'münchen.test')
})

t.test('an issuer is understood in the address of its document, and without https', async (t) => {
  const issuer = 'https://login.acme.test/realms/acme'
  const document = `${issuer}/.well-known/openid-configuration`
  for (const typed of [issuer, ` ${issuer} `, document, `${document}/`, `${document}?appid=1`, issuer.slice(8)])
    t.equal(issuerMeant(typed), issuer, typed)
  t.equal(issuerMeant('acme.test:8443'), 'https://acme.test:8443')
})

t.test('whatever else was typed stays, so that the server can judge it', async (t) => {
  for (const typed of ['', 'acme', 'https://', 'ana@', 'a b@c d', '.', 'Ada <ada@acme>'])
    t.equal(domainMeant(typed), typed)
  for (const typed of ['', 'acme', 'localhost:3000/dev', 'http://acme.test', 'https://acme.test?x=1', 'ftp://x.test'])
    t.equal(issuerMeant(typed), typed)
})
