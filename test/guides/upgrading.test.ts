import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { name } from '../../brand/brand.ts'
import { day } from '../../brand/themes.ts'
import { blocksIn, copyProject, runningIn, sectionOf } from './word-for-word.ts'

const guide = 'UPGRADING.md'
const person = { NAME: 'Ada', EMAIL: 'ada@example.com' }
const identity = Object.entries(person).flatMap(([name, value]) => [
  [`GIT_AUTHOR_${name}`, value],
  [`GIT_COMMITTER_${name}`, value],
])

/** Runs commands in a folder, until one fails. */
async function sh(cwd: string, commands: string) {
  const env = { ...process.env, ...Object.fromEntries(identity), GIT_CONFIG_GLOBAL: '/dev/null' }
  return (await promisify(execFile)('bash', ['-ec', commands], { cwd, env })).stdout.trim()
}

/** The commands below a heading, without those that install and test everything, which takes minutes. */
function commandsBelow(heading: string, names: Record<string, string> = {}) {
  const [block] = blocksIn(sectionOf(guide, heading)).filter(({ kind }) => kind === 'sh')
  if (!block) throw new Error(`${guide} has commands below “${heading}”`)
  const lines = block.text.split('\n').filter((line) => !/^npm /.test(line))
  return lines.join('\n').replaceAll(/[A-Z]+(-[A-Z]+)*\b/g, (word) => names[word] ?? word)
}

function edit(file: string, from: string, to: string) {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(file, text.replaceAll(from, to))
}

/** This project as a repository, and a copy of it that was renamed and recoloured. */
async function start(t: Test) {
  const upstream = copyProject(t)
  await sh(upstream, 'git init -q -b main && git add -A && git commit -qm "Begin"')
  const folder = mkdtempSync(join(tmpdir(), 'accounts-upgrade-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const names = { 'ADDRESS-OF-THIS-REPOSITORY': upstream, 'ADDRESS-OF-YOUR-REPOSITORY': join(folder, 'ours.git') }
  await sh(folder, commandsBelow('## Once, after copying', names))

  const product = join(folder, 'product')
  symlinkSync(join(upstream, 'node_modules'), join(product, 'node_modules'))
  edit(join(product, 'brand/brand.ts'), day.accent, '#4338ca')
  edit(join(product, 'package.json'), '"name": "accounts"', '"name": "acme"')
  edit(join(product, 'brand/brand.ts'), `name = '${name}'`, "name = 'Acme'")
  await sh(product, 'git commit -qam "Make it Acme"')

  /** A change upstream. Returns its commit. */
  async function changeUpstream(file: string, from: string, to: string) {
    edit(join(upstream, file), from, to)
    return sh(upstream, `git commit -qam "Change ${file}" && git rev-parse HEAD`)
  }
  return { product, changeUpstream }
}

t.test('UPGRADING.md, done word for word, takes one change into a renamed, recoloured copy', async (t) => {
  const { product, changeUpstream } = await start(t)
  await changeUpstream('server/settings.ts', "0, 999, '0'", "0, 999, '5'")
  const commit = await changeUpstream('brand/brand.ts', day.danger, '#a3161e')
  t.match(await sh(product, commandsBelow('## One change', { COMMIT: commit })), /Change brand\/brand.ts/)

  const brand = readFileSync(join(product, 'brand/brand.ts'), 'utf8')
  t.match(brand, '#a3161e', 'theirs')
  t.match(brand, '#4338ca', 'ours')
  t.match(readFileSync(join(product, 'server/settings.ts'), 'utf8'), "0, 999, '0'", 'nothing else')
  t.equal(await sh(product, 'git status --porcelain'), '')
})

t.test('and everything that happened upstream, which compiles', async (t) => {
  const { product, changeUpstream } = await start(t)
  await changeUpstream('server/settings.ts', "0, 999, '0'", "0, 999, '5'")
  await changeUpstream('brand/brand.ts', day.danger, '#a3161e')
  await sh(product, commandsBelow('## Everything'))

  const settings = readFileSync(join(product, 'server/settings.ts'), 'utf8')
  t.match(settings, "0, 999, '5'")
  t.match(readFileSync(join(product, 'brand/brand.ts'), 'utf8'), "name = 'Acme'")
  t.equal(await sh(product, 'git status --porcelain'), '')
  await runningIn(product)('node_modules/.bin/tsc', '-p', 'tsconfig.json')
})
