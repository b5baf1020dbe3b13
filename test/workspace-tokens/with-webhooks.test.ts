import t from 'tap'
import { call } from '../helpers/api.ts'
import { challenge } from '../helpers/people.ts'
import { startWebhooks } from '../helpers/webhooks.ts'

const { app, receiver, acmeWith } = await startWebhooks(t)

t.test('webhooks tell what a token did by its name, as the page does', async (t) => {
  const { owner, path, hook } = await acmeWith({ types: ['account_renamed', 'workspace_token_created'] })
  const body = { name: 'Deploy', role: 'admin', scope: 'write', ...challenge }
  const { flash, props } = await owner.browser.submit('POST', `${path}/tokens`, body)
  await call(app, String(flash?.token), 'PATCH', `/accounts${path}`, { name: 'Apex' })
  const sent = (await receiver.until(hook, 2)).map((message) => JSON.parse(message.body).data)
  const [created, renamed] = sent.toSorted((one, other) => one.id - other.id)
  const token_id = props.tokens[0].id
  t.match(created, { actor_name: owner.person.name, details: { token_id, token_name: 'Deploy' } })
  t.match(renamed, { actor_name: 'Deploy', details: { token_id, to: 'Apex' } })
})
