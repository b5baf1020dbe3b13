import { spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources =
  'app.ts package.json tsconfig.json brand commands development drizzle features languages pages plugins server'

t.test('a new role does not compile until every place that depends on it has decided', async (t) => {
  const copy = t.testdir()
  for (const name of sources.split(' ')) cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const table = join(copy, 'drizzle/tables/accounts.ts')
  const before = readFileSync(table, 'utf8')
  writeFileSync(table, before.replace("roles = ['owner',", "roles = ['owner', 'billing',"))

  const broken = new Set([...filesWithErrors(copy), ...filesWithErrors(copy, 'pages')])
  t.same([...broken].filter((file) => /^(features|pages)\//.test(file)).sort(), [
    'features/accounts/mails.ts',
    'features/accounts/roles.ts',
    'pages/accounts/role-field.tsx',
    'pages/invitations/show.page.tsx',
    'pages/words/activities.ts',
    'pages/words/workspace.tsx',
  ])
})

function filesWithErrors(folder: string, project = '.') {
  const tsc = join(root, 'node_modules/.bin/tsc')
  // Tap's options for Node break the compiler. Several checkers take twice the time of the processor.
  const command = ['-u', 'NODE_OPTIONS', tsc, '-p', project, '--pretty', 'false', '--checkers', '1']
  const { stdout } = spawnSync('env', command, { cwd: folder, encoding: 'utf8' })
  return Array.from(stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm), ([, file = '']) => file)
}

t.test('no other file compares with a role that has few rights, which would let an unknown role do more', async (t) => {
  const files = globSync('{features,pages}/**/*.{ts,tsx}', { cwd: root })
  t.ok(files.length > 100)
  const comparing = files.filter((file) => /[!=]== '(admin|member)'/.test(readFileSync(join(root, file), 'utf8')))
  t.same(comparing, [])
})
