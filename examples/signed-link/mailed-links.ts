import type { Test } from 'tap'
import { listen } from '../../test/helpers/app.ts'
import { openGuest } from '../../test/helpers/people.ts'
import { linkIn, startSmtp } from '../../test/helpers/smtp.ts'
import { startApp } from '../start.ts'

/** An application that mails links, for tests. */
export async function startWithLinks(t: Test) {
  const smtp = await startSmtp(t)
  const started = await startApp(t, smtp.environment)
  const { app } = started
  await listen(app)
  await app.jobs.startWorkers()

  /** A browser that asked for a link, and what its page does. */
  async function withLink(email: string, context: object = {}) {
    const browser = await openGuest(app)
    await browser.submit('POST', '/sign_in/link', { email, ...context })
    const isLink = ({ recipient, subject }: { recipient: string; subject?: string | undefined }) =>
      recipient === email && subject === 'Your link to Acme Accounts'
    let mail = smtp.mails.find(isLink)
    while (!mail) mail = [await smtp.next()].find(isLink)
    const url = new URL(linkIn(mail))
    const { sid, invitation, return_to } = (await browser.visit(url.pathname + url.search)).props
    return { browser, sid, use: () => browser.submit('POST', '/sign_in/link/use', { sid, invitation, return_to }) }
  }
  return { ...started, smtp, withLink }
}
