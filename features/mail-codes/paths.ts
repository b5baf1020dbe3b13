import { get, post } from '../paths.ts'

export const mailCodesPaths = {
  requestMailCode: () => post('/sign_in/code'),
  mailCode: () => get('/sign_in/code'),
  verifyMailCode: () => post('/sign_in/code/verify'),
}

declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    /** Empty if what was typed is no address. */
    'auth/code': { email: string }
  }
  interface PageParts {
    'mail-codes': { 'auth/sign-in': { mail_codes: true } }
  }
}
