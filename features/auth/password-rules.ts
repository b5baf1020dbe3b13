import type { FastifyInstance } from 'fastify'
import { isShorterThan } from '../../plugins/forms/lengths.ts'
import { type Text, text } from '../../plugins/languages/index.ts'

const minCharacters = 12
const maxBytes = 72
const tooShort = text('is too short (minimum is {min} characters)', { min: minCharacters })

type App = Pick<FastifyInstance, 'isTooCommon'>

/** Messages for a new password, in the order of the rules. */
export function passwordMessages(app: App, password: string, person: { name: string; email: string }) {
  if (password.trim() === '') return [text("can't be blank")]
  const messages: Text[] = []
  if (isShorterThan(minCharacters, password)) messages.push(tooShort)
  if (Buffer.byteLength(password) > maxBytes) messages.push(text('is too long'))
  if (messages.length === 0 && app.isTooCommon(password, person)) messages.push(text('is too common'))
  return messages
}

export const confirmationMessages = (password: string, confirmation: string) =>
  confirmation === password ? [] : [text("doesn't match Password")]
