import fp from 'fastify-plugin'
import type { Tx } from '../database/index.ts'
import { instrument } from '../instrumentation.ts'
import { type Jobs, skipped } from '../jobs/index.ts'
import { type Message, render, type Sender } from './message.ts'
import type { Transport } from './transport.ts'

export type { Message } from './message.ts'
export { normalizeEmail } from './normalize.ts'
export { mailDestination, transportTo } from './services.ts'
export type { MailSettings } from './transport.ts'

/** Every mail by name, with the ids in its job. Never put tokens into a job: they are minted when the mail is sent. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Mails {}
type Name = keyof Mails & string

declare module '../jobs/index.ts' {
  interface Jobs extends Mails {}
}

type Definition<Ids> = {
  /** Returns undefined if the mail is no longer needed. All attempts to send it share the id. */
  compose(ids: Ids, mail: { id: string }): Promise<Message | undefined>
  isPrivate?: true
}

declare module 'fastify' {
  interface FastifyInstance {
    mail: {
      define<N extends Name>(name: N, mail: Definition<Mails[N]>): void
      queue<N extends Name>(tx: Tx, name: N, ids: Mails[N], key?: { id: string }): Promise<void>
    }
  }
}

type MailOptions = Sender & { from: string; transport: Transport }

/** Adds `app.mail`. Registered before jobs, which finish before it closes. */
export default fp<MailOptions>(
  async (app, { from, transport, ...sender }) => {
    const { hostname } = new URL(sender.origin)
    app.decorate('mail', {
      define: (mail, { compose, ...options }) =>
        app.jobs.define(mail, {
          ...options,
          async work(ids, { id, isLastTry }) {
            const message = await compose(ids as never, { id })
            if (!message) {
              app.log.info({ mail, job: id }, 'mail skipped')
              instrument('mail', { outcome: 'skipped' })
              return skipped
            }
            const { to, language, ...content } = message
            const messageId = `<${id}@${hostname}>` // mail clients recognize a second copy after a crash
            const rendered = render(content, sender, app.languageOf(language))
            await transport.send({ ...rendered, from, to, messageId }).catch(({ code, message }) => {
              instrument('mail', { outcome: isLastTry ? 'given_up' : 'failed' })
              throw Object.assign(new Error(`the mail server failed: ${message}`), { code })
            })
            app.log.info({ mail, ...transport.recipient(to), job: id }, `mail ${transport.outcome}`)
            instrument('mail', { outcome: transport.outcome })
          },
        }),
      queue: (tx, name, ids, key) => app.jobs.queue(tx, name, ids as Jobs[typeof name], key),
    })
    app.addHook('onClose', () => transport.close())
  },
  { name: 'mail', dependencies: ['languages'] },
)

// The pattern of HTML's input type=email, and the longest address that SMTP can carry (RFC 5321, 4.5.3.1).
const addressPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const maxAddressLength = 254

export const isEmailAddress = (email: string) => email.length <= maxAddressLength && addressPattern.test(email)
