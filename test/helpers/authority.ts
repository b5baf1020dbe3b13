import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Owner } from './owner.ts'

const run = promisify(execFile)

/** The reason to skip tests that need certificates, or false. */
export const noCertificates = canRun('openssl', 'version') ? false : 'openssl is not installed'

/** A certificate authority for this test only, and a certificate for `localhost`. */
export async function authority(t: Owner) {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-authority-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=Test', '-days', '2')
  await openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  await writeFile(join(folder, 'names'), 'subjectAltName=DNS:localhost\n')
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2']
  await openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt')
  const path = join(folder, 'ca.crt')
  return { folder, path, certificate: await readFile(path, 'utf8') }
}

export function canRun(program: string, ...args: string[]) {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
