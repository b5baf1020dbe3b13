import type { SignInQuery } from '../auth/props.ts'
import { get, post, query } from '../paths.ts'

export const mailCodesPaths = {
  newMailCode: (invitation = '', returnTo = '') =>
    get(`/sign_in/code/new${query({ invitation, return_to: returnTo })}`),
  requestMailCode: () => post('/sign_in/code'),
  mailCode: () => get('/sign_in/code'),
  verifyMailCode: () => post('/sign_in/code/verify'),
}

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    'auth/new-code': SignInQuery
    /** Empty if what was typed is no address. */
    'auth/code': { email: string }
  }
  interface PageParts {
    'mail-codes': { 'auth/sign-in': { mail_codes: true } }
  }
}
