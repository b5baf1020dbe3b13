import { type ConnectionOptions, getCACertificates } from 'node:tls'
import { textOf } from '../files.ts'
import { refuse } from './refusal.ts'

/** What postgres.js expects: off, if the server offers it, or always, with the requirements for the certificate. */
export type Tls = false | 'prefer' | ConnectionOptions

type TlsOptions = Partial<Record<'sslmode' | 'sslrootcert' | 'sslcert' | 'sslkey', string>>

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof modes)[number]

/**
 * Follows libpq (postgresql.org/docs/current/libpq-ssl.html). If DATABASE_CA is set without an sslmode, everything is
 * verified.
 */
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
  // As in libpq: with a root certificate, `require` means verify-ca.
  if (mode === 'verify-ca' || (mode === 'require' && ca))
    return { ca: needed(ca), checkServerIdentity: () => undefined }
  return mode === 'require' ? { rejectUnauthorized: false } : { ca: needed(ca) }
}

function authoritiesOf(path: string | undefined, certificate: string | undefined) {
  // Those of the system and those bundled with Node, since slim images have none of their own.
  if (path === 'system') return [...new Set([...getCACertificates('system'), ...getCACertificates('bundled')])]
  if (path) return [contentOf(path, 'sslrootcert')]
  return certificate === undefined ? undefined : [certificate]
}

const needed = (ca: string[] | undefined) =>
  ca ?? refuse('asks to verify a certificate: name its authority by sslrootcert (a path, or system) or DATABASE_CA')

const contentOf = (path: string, option: string) => textOf(path) ?? refuse(`has an ${option} that cannot be read`)
