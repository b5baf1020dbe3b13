import { readFileSync } from 'node:fs'

/** Variables whose value may also lie in a file, as orchestrators hand out secrets: `NAME_FILE` is its path. */
const secrets = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'QUEUE_URL',
  'SECRET_KEY_BASE',
  'SECRET_KEY_BASE_PREVIOUS',
  'MAILER_PASSWORD',
  'DEMO_ADMIN_PASSWORD',
  'GOOGLE_CLIENT_SECRET',
  'GITHUB_CLIENT_SECRET',
  'GITLAB_CLIENT_SECRET',
  'MICROSOFT_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
]

type Variables = Record<string, string | undefined>

/** The variables with the secrets of files in their places, and a line for each that cannot be used. */
export function withSecretFiles(variables: Variables) {
  const found: Variables = {}
  const problems: string[] = []
  for (const name of secrets) {
    const path = variables[`${name}_FILE`]
    if (!path) continue
    const secret = read(path)
    if (variables[name]) problems.push(`${name} and ${name}_FILE are both set: only one of them can count`)
    else if (secret) found[name] = secret
    else problems.push(`${name}_FILE must be the path of a file that can be read and is not empty`)
  }
  return { variables: { ...variables, ...found }, problems }
}

/** Without the line end that editors and `echo` add. Undefined if there is no such file. */
function read(path: string) {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    return undefined
  }
}
