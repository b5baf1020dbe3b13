import t from 'tap'
import { withMethod } from '../../pages/words/methods.ts'

t.test('a session says which provider it began with, by the name that the operator gave it', async (t) => {
  const offers = [{ id: 'oidc', name: 'Acme ID' }]
  t.equal(withMethod('provider:oidc', offers), 'with Acme ID')
  t.equal(withMethod('provider:oidc_and_code', offers), 'with Acme ID and a code')
  t.equal(withMethod('provider:github', offers), 'with GitHub')
  t.equal(withMethod('provider:oidc', []), 'with single sign-on')
})
