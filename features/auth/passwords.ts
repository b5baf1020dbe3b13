import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import { isShorterThan } from '../../plugins/forms/parameters.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { normalizePassword } from '../../plugins/security/digests.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'

const minCharacters = 12
const maxBytes = 72
const tooShort = text('is too short (minimum is {min} characters)', { min: minCharacters })

type Typed = { password?: string | null; password_confirmation?: string | null }
type Person = { name: string; email: string }

export function newPasswordMessages(app: FastifyInstance, { password, password_confirmation }: Typed, person: Person) {
  const isConfirmed = normalizePassword(password_confirmation ?? '') === normalizePassword(password ?? '')
  return {
    password: passwordMessages(app, password ?? '', person),
    password_confirmation: isConfirmed ? [] : [text("doesn't match Password")],
  }
}

function passwordMessages(app: FastifyInstance, password: string, person: Person) {
  if (password.trim() === '') return [text("can't be blank")]
  const messages: Text[] = []
  if (isShorterThan(minCharacters, password)) messages.push(tooShort)
  if (Buffer.byteLength(password) > maxBytes) messages.push(text('is too long'))
  if (messages.length === 0 && app.isTooCommon(password, person)) messages.push(text('is too common'))
  return messages
}

/** Queues a mail with a link that sets a password, unless the address has reached its daily limit. */
export async function queuePasswordReset({ mail }: FastifyInstance, tx: Tx, email: string) {
  if (await tryTakeMail(tx, 'reset_mail', email)) await mail.queue(tx, 'password_reset', { email })
}
