const words: Record<string, string> = {
  password: 'with a password',
  password_and_code: 'with a password and a code',
  password_and_recovery_code: 'with a password and a recovery code',
  passkey: 'with a passkey',
}

const providers: Record<string, string> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
}
const besides: Record<string, string> = { code: ' and a code', recovery_code: ' and a recovery code' }

function withProvider(method: string) {
  const [, id, second] = /^provider:(\w+?)(?:_and_(\w+))?$/.exec(method) ?? []
  return id && `with ${providers[id] ?? 'single sign-on'}${besides[second ?? ''] ?? ''}`
}

/** How somebody signed in. Nothing for what is not known, such as records of before. */
export const withMethod = (method: string | undefined) => words[method ?? ''] ?? withProvider(method ?? '')
