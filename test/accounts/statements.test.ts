import t from 'tap'
import { call, createToken } from '../helpers/api.ts'
import { sharedApp } from '../helpers/app.ts'
import { statementsDuring } from '../helpers/database.ts'
import { startAcme, verify } from '../helpers/people.ts'

const { app, db } = await sharedApp(t)
const { owner, join } = await startAcme(app)
const member = await join('member')
await verify(db, owner.user.id)
const token = await createToken(owner.browser)
const rename = { name: 'Apex' }
const promotion = { role: 'admin' }
const ofMember = `/members/${member.membershipId}`

const requests = {
  'GET /{slug}': () => owner.browser.request('GET', '/acme'),
  'PATCH /{slug}/settings': () => owner.browser.request('PATCH', '/acme/settings', { body: rename }),
  'PATCH /{slug}/members/{id}': () => owner.browser.request('PATCH', `/acme${ofMember}`, { body: promotion }),
  'GET /api/v1/accounts/{slug}': () => call(app, token, 'GET', '/accounts/acme'),
  'PATCH /api/v1/accounts/{slug}': () => call(app, token, 'PATCH', '/accounts/acme', { name: 'Acme' }),
  'DELETE /api/v1/accounts/{slug}/members/{id}': () => call(app, token, 'DELETE', `/accounts/acme${ofMember}`),
}

for (const [name, send] of Object.entries(requests)) {
  t.test(`${name} asks for a role once before and once in a transaction, and for no second factor`, async (t) => {
    const statements = await statementsDuring(async () => t.ok((await send()).statusCode < 400))
    const texts = statements.map(({ text }) => text)
    const isRoleOfActor = (text: string) =>
      text.includes('"memberships"."role" from "') ||
      text.startsWith('select "member"."role"') ||
      text.startsWith('select "role" from "memberships"')
    const asked = texts.filter((text) => text === 'begin' || isRoleOfActor(text))
    t.equal(asked.indexOf('begin'), name.startsWith('GET') ? -1 : 1)
    t.equal(asked.filter(isRoleOfActor).length, name.startsWith('GET') ? 1 : 2)
    t.notMatch(texts.join('\n'), /second_factor_at|passkeys/, 'which this workspace does not require')
  })
}
