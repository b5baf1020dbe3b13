type Person = { sub: string; name: string; email?: string; email_verified?: boolean }

/** Invented people who have an account at the provider of development, one of each kind. */
export const people: Person[] = [
  { sub: 'ada', name: 'Ada Abel', email: 'ada@example.com', email_verified: true },
  { sub: 'bo', name: 'Bo Berg', email: 'bo@example.com', email_verified: false },
  { sub: 'cleo', name: 'Cleo Chen' },
]

/** How the page describes them. */
export const describe = ({ email, email_verified }: Person) =>
  email ? `${email}, ${email_verified ? 'verified' : 'not verified'}` : 'no email'
