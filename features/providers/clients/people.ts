import { isStorable } from '../../../plugins/database/index.ts'
import { isEmailAddress, normalizeEmail } from '../../../plugins/mail/email-address.ts'
import { Untrusted } from './failures.ts'

const longest = 255 // characters

/** The subject, which identifies the person together with the issuer. Throws Untrusted. */
export function subjectIn(given: unknown) {
  if (typeof given !== 'string' || given.trim() === '' || given.length > longest || !isStorable(given)) {
    throw new Untrusted('claim_sub')
  }
  return given
}

/** The address as we would store it, or null if it is none. */
export function emailIn(given: unknown) {
  const email = typeof given === 'string' ? normalizeEmail(given) : ''
  return isEmailAddress(email) ? email : null
}

/** The name to begin with. The person can change it. */
export function nameIn(given: unknown) {
  const name = typeof given === 'string' ? given.trim() : ''
  return name && isStorable(name) ? [...name.slice(0, 2 * longest)].slice(0, longest).join('') : null
}
