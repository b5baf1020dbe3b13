import type { FastifyRequest } from 'fastify'
import { type Text, text } from '../languages/index.ts'

/** The page that sent the request was rendered for another user than the one who is signed in now. */
export class WrongPerson extends Error {
  readonly statusCode = 409
  readonly alert: Text
  readonly alwaysJson: boolean

  constructor(email: string, { answersJson = false }: { answersJson?: boolean }) {
    super('the page shows another person')
    this.alert = text('You are signed in as {email} now. Nothing was changed', { email })
    this.alwaysJson = answersJson
  }
}

/** Whether the page that sent the request shows someone else than the session's user. */
export function isPageOfAnother({ auth, headers }: FastifyRequest) {
  const shown = String(headers['x-signed-in-as'])
  return auth !== null && /^(?:guest|\d{1,15})$/.test(shown) && Number(shown) !== auth.user.id
}

/** A partial reload would mix what two people see. */
export const isPartOfAnother = (request: FastifyRequest) =>
  request.headers['x-inertia-partial-component'] !== undefined && isPageOfAnother(request)
