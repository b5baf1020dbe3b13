import { subscribe } from '../../plugins/instrumentation.ts'
import { anotherClient, type Cases, isRefused, person, right, wrong } from '../helpers/limits.ts'
import { verifiedUp } from '../helpers/people.ts'

export const cases: Cases = {
  token_creation: person('POST', '/settings/tokens', { ...wrong, name: 'CI', scope: 'read' }),
  async wrong_token(app) {
    const { 'x-forwarded-for': client } = anotherClient()
    const headers = { authorization: 'Bearer acct_mistyped', 'x-forwarded-for': client }
    return async () => {
      let isLogged = false
      const unsubscribe = subscribe('security', () => {
        isLogged = true
      })
      await app.inject({ url: '/api/v1/me', headers })
      unsubscribe()
      return !isLogged
    }
  },
  async api_request(app) {
    const { browser } = await verifiedUp(app)
    const { flash } = await browser.submit('POST', '/settings/tokens', { ...right, name: 'CI', scope: 'read' })
    const headers = { authorization: `Bearer ${flash?.token}` }
    return () => isRefused(browser, 'GET', '/api/v1/me', undefined, headers)
  },
}
