import t from 'tap'
import { answerBounds, type Bounds, boundedBy, documentBounds, keySetBounds } from '../../../plugins/openid/bounds.ts'

/** What is handed on of an answer. */
const kept = async (bounds: Bounds, answer: unknown, init: ResponseInit = {}) =>
  (await boundedBy(async () => Response.json(answer, init), bounds)('https://idp.test/')).json()

t.test('of a document, a key set and an answer only the members that are used are kept', async (t) => {
  const document = {
    issuer: 'https://idp.test',
    authorization_endpoint: 'https://idp.test/authorize',
    token_endpoint: 'https://idp.test/token',
    userinfo_endpoint: 'https://idp.test/userinfo',
    jwks_uri: 'https://idp.test/keys',
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  }
  const unused = { unused: [{}], key_ops: ['verify'], refresh_token: 'x' }
  const methods = ['client_secret_post', 'private_key_jwt', {}]
  const given = { ...document, ...unused, token_endpoint_auth_methods_supported: methods }
  t.same(await kept(documentBounds, given), document)
  const key = { kty: 'RSA', kid: 'own', use: 'sig', alg: 'RS256', n: 'n', e: 'AQAB' }
  t.same(await kept(keySetBounds, { keys: [{ ...key, ...unused }], ...unused }), { keys: [key] })
  const answer = { access_token: 'a', token_type: 'Bearer', id_token: 'a.b.c', sub: 'ada', email_verified: false }
  t.same(await kept(answerBounds, { ...answer, ...unused }), answer)
})

t.test('a member that is too long or of another type does not pass for one that is absent', async (t) => {
  const long = 'x'.repeat(2_001)
  t.match(await kept(documentBounds, { issuer: long, userinfo_endpoint: 5 }), {
    issuer: null,
    userinfo_endpoint: null,
  })
  t.same(await kept(answerBounds, { id_token: 'x'.repeat(65_537), email: long, email_verified: {} }), {
    id_token: null,
    email: null,
    email_verified: null,
  })
  t.same(await kept(keySetBounds, { keys: [{ kty: 'RSA', use: ['enc'] }, { kid: long }, null, 'key', {}] }), {
    keys: [{}, {}, {}],
  })
})
