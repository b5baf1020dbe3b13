import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { withMethod } from '../../pages/words/methods.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const onTheWire = ': Password challenge is invalid' // looked for, to say something better
const read = (file: string) => readFileSync(root + file, 'utf8')

t.test('pages and mails keep to the words of docs/words.md', async (t) => {
  const avoided = Array.from(read('docs/words.md').matchAll(/^\|.*\|.*\|(.*)\|$/gm), ([, cell = '']) =>
    Array.from(cell.matchAll(/\*\*(.+?)\*\*/g), ([, word = '']) => word),
  ).flat()
  t.ok(avoided.length > 12)
  const any = new RegExp(`\\b(${avoided.join('|')})s?\\b`, 'i')

  const files = globSync(['pages/**/*.tsx', 'pages/words/*.ts', 'pages/head.ts', 'features/*/mails.ts'], { cwd: root })
  const said = files.flatMap((file) => sentencesIn(file).map((sentence) => `${file}: ${sentence}`))
  const pages = globSync('pages/public/*.html', { cwd: root })
  said.push(...pages.map((file) => `${file}: ${read(file).replace(/<[^>]*>/g, ' ')}`))
  t.ok(said.length > 400, `${said.length} sentences were found`)
  t.ok(said.some((sentence) => sentence.includes('No pending invitations.')))
  t.same(
    said.filter((sentence) => any.test(sentence.slice(sentence.indexOf(':'))) && !sentence.endsWith(onTheWire)),
    [],
  )
})

/** What a source file says to people: texts between tags, and strings that are no identifiers or keys of the wire. */
function sentencesIn(file: string) {
  const noise = /\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*|\$\{[^}]*\}|^import .*?$/gms
  const code = read(file).replace(noise, '')
  const strings = Array.from(code.matchAll(/(["'`])((?:(?!\1)[^\\\n]|\\.)+)\1(?!\s*:)/g), ([, , text = '']) => text)
  const texts = !file.endsWith('x')
    ? []
    : Array.from(code.matchAll(/(?<=[>}])[^<>{}=;]*[a-z][^<>{}=;]*(?=[<{])/g), ([text]) => text)
  return [...strings.filter((text) => /[A-Z ]/.test(text)), ...texts].map((text) => text.trim().replace(/\s+/g, ' '))
}

t.test('a session says which provider it began with, by the name that the operator gave it', async (t) => {
  const offers = [{ id: 'oidc', name: 'Acme ID' }]
  t.equal(withMethod('provider:oidc', offers), 'with Acme ID')
  t.equal(withMethod('provider:oidc_and_code', offers), 'with Acme ID and a code')
  t.equal(withMethod('provider:github', offers), 'with GitHub')
  t.equal(withMethod('provider:oidc', []), 'with single sign-on')
})
