declare module '../../plugins/inertia/pages.ts' {
  interface Pages {
    /** Empty if what was typed is no address. */
    'auth/code': { email: string }
  }
  interface PageParts {
    'mail-codes': { 'auth/sign-in': { mail_codes: true } }
  }
}

export {}
