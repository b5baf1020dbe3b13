import type { Reauthentication } from '../../plugins/security/reauthentication.ts'
import { Authenticator, type Lies, register } from './authenticator.ts'
import type { Browser } from './browser.ts'

/** What a right password leaves behind: it holds as long as the digest stays. */
export const byDigest = (digest: string | null | undefined): Reauthentication => ({
  field: 'password_challenge',
  redeem: (_tx, user) => user.passwordDigest === digest,
})

export const challengeOptions = async (browser: Browser) =>
  (await browser.request('POST', '/settings/passkey_challenge', { body: {} })).json()

/** A passkey of the person who is signed in, which answers challenges in place of the password. */
export async function addPasskey(browser: Browser, authenticator = new Authenticator()) {
  const page = await register(browser, authenticator)
  if (!page.props.passkeys?.length) throw new Error(`no passkey but ${JSON.stringify(page.flash)}`)
  const answer = async (lies?: Lies) => authenticator.get(await challengeOptions(browser), lies)
  return { authenticator, id: page.props.passkeys.at(-1).id as number, answer }
}
