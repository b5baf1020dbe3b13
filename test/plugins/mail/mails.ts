import type { FastifyInstance } from 'fastify'
import type { Message } from '../../../plugins/mail/index.ts'

declare module '../../../plugins/mail/index.ts' {
  interface Mails {
    greeting: { to: string }
  }
}

/** Defines a mail `greeting` whose link has a new token each time it is composed. */
export function defineGreeting(app: FastifyInstance, changes: Partial<Message> = {}) {
  let minted = 0
  app.mail.define('greeting', {
    compose: async ({ to }) => ({
      to,
      subject: 'Welcome aboard',
      heading: 'Welcome aboard',
      paragraphs: ['Hello Ana,', 'it is good to have you here.'],
      action: { label: 'Come in', url: `https://acme.example/door?sid=secret-${++minted}` },
      footnotes: ['The link works once.'],
      ...changes,
    }),
  })
}

export const greet = (app: FastifyInstance, to = 'ana@example.com') =>
  app.db.transaction((tx) => app.mail.queue(tx, 'greeting', { to }))
