const words: Record<string, string> = {
  password: 'with a password',
  password_and_code: 'with a password and a code',
  password_and_recovery_code: 'with a password and a recovery code',
  passkey: 'with a passkey',
}

/** How somebody signed in. Nothing for what is not known, such as records of before. */
export const withMethod = (method: string | undefined) => words[method ?? '']
