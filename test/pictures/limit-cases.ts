import type { Browser } from '../helpers/browser.ts'
import { anotherClient, type Cases, inTurn, isRefused } from '../helpers/limits.ts'
import { signedUp } from '../helpers/people.ts'

export const cases: Cases = {
  async picture_client(app) {
    const people = [await signedUp(app), await signedUp(app)]
    let count = 0
    const headers = anotherClient()
    return () => isRefused(people[count++ % 2]?.browser as Browser, 'PUT', '/settings/picture', {}, headers)
  },
  picture: inTurn(['PUT', '/settings/picture'], ['PUT', '/:slug/picture']),
}
