import type { FastifyInstance } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import type { Message } from '../../plugins/mail/index.ts'

declare module '../../plugins/mail/index.ts' {
  interface Mails {
    greeting: { to: string }
  }
}

/** Defines a mail `greeting` whose link has a new token each time it is composed. */
export function defineGreeting(app: FastifyInstance, changes = (): Partial<Message> => ({})) {
  let minted = 0
  app.mail.define('greeting', {
    compose: async ({ to }) => ({
      to,
      subject: text('Welcome aboard'),
      preheader: text('One link, and you are in.'),
      heading: text('Welcome aboard'),
      paragraphs: [text('Hello Ana,'), text('it is good to have you here.')],
      action: { label: text('Come in'), url: `https://acme.example/door?sid=secret-${++minted}` },
      footnotes: [text('The link works once.')],
      ...changes(),
    }),
  })
}

export const greet = (app: FastifyInstance, to = 'ana@example.com') =>
  app.db.transaction((tx) => app.mail.queue(tx, 'greeting', { to }))
