import type { FastifyInstance } from 'fastify'
import { isShorterThan } from '../../plugins/forms/lengths.ts'

const minCharacters = 12
const maxBytes = 72

type App = Pick<FastifyInstance, 'isTooCommon'>

/** Messages for a new password, in the order of the rules. */
export function passwordMessages(app: App, password: string, person: { name: string; email: string }) {
  if (password.trim() === '') return ["can't be blank"]
  const messages = []
  if (isShorterThan(minCharacters, password)) messages.push(`is too short (minimum is ${minCharacters} characters)`)
  if (Buffer.byteLength(password) > maxBytes) messages.push('is too long')
  if (messages.length === 0 && app.isTooCommon(password, person)) messages.push('is too common')
  return messages
}

export const confirmationMessages = (password: string, confirmation: string) =>
  confirmation === password ? [] : ["doesn't match Password"]
