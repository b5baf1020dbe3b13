import t from 'tap'
import { withSecondFactor } from '../../test/helpers/second-factor.ts'
import { startWithLinks } from './mailed-links.ts'

const { app, clock, withLink } = await startWithLinks(t)

t.test('a second step follows it, and the session says both', async (t) => {
  const someone = await withSecondFactor({ app, clock })
  const first = await withLink(someone.person.email, { return_to: '/settings/sessions' })
  t.equal((await first.use()).url, '/sign_in/verify')
  const code = await someone.code()
  const { url, props } = await first.browser.submit('POST', '/sign_in/verify', { code })
  t.equal(url, '/settings/sessions')
  t.ok(props.sessions.some(({ method }: { method: string }) => method === 'signed_link_and_code'))
})
