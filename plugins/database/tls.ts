import { readFileSync } from 'node:fs'
import { type ConnectionOptions, getCACertificates } from 'node:tls'
import { refuse } from './refusal.ts'

/** What postgres.js takes: not at all, when it is offered, or always, with what the certificate has to prove. */
export type Tls = false | 'prefer' | ConnectionOptions

type TlsOptions = Partial<Record<'sslmode' | 'sslrootcert' | 'sslcert' | 'sslkey', string>>

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

/** The meanings of libpq (postgresql.org/docs/current/libpq-ssl.html). A certificate of an authority that is given as text asks for everything that can be verified. */
export function tlsOf({ sslmode, sslrootcert, sslcert, sslkey }: TlsOptions, certificate?: string): Tls {
  const everything = sslrootcert === 'system' || (certificate !== undefined && sslmode === undefined)
  const mode = modes.find((mode) => mode === (sslmode ?? (everything ? 'verify-full' : 'prefer')))
  if (!mode) return refuse(`must have an sslmode of ${modes.join(', ')}`)
  if (sslrootcert === 'system' && mode !== 'verify-full')
    return refuse('with sslrootcert=system needs sslmode=verify-full')
  if (mode === 'disable') return false
  if (Boolean(sslcert) !== Boolean(sslkey)) return refuse('must have both of sslcert and sslkey, or none')
  if (mode === 'prefer') return sslcert ? refuse('with sslcert needs sslmode=require or more') : 'prefer'

  const own = sslcert && sslkey ? { cert: contentOf(sslcert, 'sslcert'), key: contentOf(sslkey, 'sslkey') } : {}
  return { ...own, ...proofOf(mode, authoritiesOf(sslrootcert, certificate)) }
}

function proofOf(mode: Mode, ca: string[] | undefined): ConnectionOptions {
  // As in libpq: who names an authority and asks for less means this.
  if (mode === 'verify-ca' || (mode === 'require' && ca))
    return { ca: needed(ca), checkServerIdentity: () => undefined }
  return mode === 'require' ? { rejectUnauthorized: false } : { ca: needed(ca) }
}

function authoritiesOf(path: string | undefined, certificate: string | undefined) {
  // Of the system and of Node: a slim image has none of its own.
  if (path === 'system') return [...new Set([...getCACertificates('system'), ...getCACertificates('bundled')])]
  if (path) return [contentOf(path, 'sslrootcert')]
  return certificate === undefined ? undefined : [certificate]
}

const needed = (ca: string[] | undefined) =>
  ca ?? refuse('asks to verify a certificate: name its authority by sslrootcert (a path, or system) or DATABASE_CA')

function contentOf(path: string, option: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return refuse(`has an ${option} that cannot be read`)
  }
}
