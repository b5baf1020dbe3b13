import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from './browser.ts'
import type { startSmtp } from './smtp.ts'

export const subject = /^(\d{8}) is your code for Acme Accounts$/

/** Returns a function that waits for the next mail with a code to an address. */
export function codesOf({ mails }: Awaited<ReturnType<typeof startSmtp>>) {
  const read = new Set<unknown>()
  return async (email: string) => {
    for (;;) {
      const isNew = (mail: (typeof mails)[number]) =>
        !read.has(mail) && mail.to?.[0]?.address === email && subject.test(mail.subject ?? '')
      const mail = mails.find(isNew)
      if (!mail) {
        await sleep(5)
        continue
      }
      read.add(mail)
      const [, code = ''] = subject.exec(mail.subject ?? '') ?? []
      return { mail, code }
    }
  }
}

/** Asks for a code and enters it. Returns the page that follows. */
export async function enterCode(browser: Browser, email: string, receive: ReturnType<typeof codesOf>) {
  await browser.submit('POST', '/sign_in/code', { email })
  const { code } = await receive(email)
  return browser.submit('POST', '/sign_in/code/verify', { code })
}
