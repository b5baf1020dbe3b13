import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { colours, name } from '../../brand/brand.ts'
import { textsIn } from '../../pages/translation/scan.ts'
import { copyProject, runningIn } from './word-for-word.ts'

// Tests of guides build copies of their own and run for minutes.
const own = 'test/guides/brand.test.ts'
const aboutTheWhole = /^test\/guides\//

/** The colour with its parts in another order. Greys, such as white, stay. */
const turned = (colour: string) => `#${colour.slice(3)}${colour.slice(1, 3)}`
const before = new Set<string>(Object.values(colours).flat())
const gone = [...before].filter((colour) => !Array.from(before, turned).includes(colour))

t.test('a copy with another brand, changed as brand/README.md says, serves it and passes its tests', async (t) => {
  const whole = process.env.BRAND === 'whole'
  const copy = copyProject(t, { whole })
  const run = runningIn(copy)
  const edit = (file: string, change: (source: string) => string) => {
    const source = readFileSync(join(copy, file), 'utf8')
    const edited = change(source)
    t.not(edited, source, `${file} changes`)
    writeFileSync(join(copy, file), edited)
  }

  edit('brand/brand.ts', (source) =>
    source.replace(`name = '${name}'`, "name = 'Zebra Works'").replaceAll(/#[\da-f]{6}\b/g, turned),
  )
  for (const file of ['sign', 'app-icon', 'card']) {
    edit(`brand/${file}.svg`, (source) => source.replaceAll(/ d="[^"]+"/g, ' d="M4 4h20v20z"'))
  }
  edit('brand/typeface.css', (source) => source.replaceAll('instrument-sans', 'readex-pro'))
  edit('package.json', (source) => source.replace(/.*instrument-sans.*\n/, ''))
  edit('docs/dependencies.md', (source) => source.replace(/`[^`]*instrument-sans`, /, ''))
  const words = textsIn(readFileSync(join(copy, 'brand/front-page.ts'), 'utf8')).map(({ key }) => key)
  edit('brand/front-page.ts', (source) =>
    source.replaceAll(/\b(?:t|rich)\(\s*(['`])/g, (call, quote) => `${call}Zebras say:${quote === '`' ? '\n' : ' '}`),
  )
  for (const language of ['de', 'ar']) {
    edit(`languages/${language}.ts`, (source) =>
      words.reduce((source, key) => source.replace(key, `Zebras say: ${key}`), source),
    )
  }
  await run(process.execPath, 'development/brand/run.ts')
  await run('node_modules/.bin/biome', 'check', '--write', 'languages')

  const sources = '{*,{brand,development,features,languages,pages,plugins,server,test}/**/*}.{ts,tsx,css,svg,html}'
  const old = new RegExp(`(?<=['"\`>])${name}(?=['"\`<])|instrument-sans|${gone.join('|')}`, 'g')
  const left = globSync(sources, { cwd: copy, exclude: [own] }).flatMap((file) =>
    (readFileSync(join(copy, file), 'utf8').match(old) ?? []).map((what) => `${file}: ${what}`),
  )
  t.same(left, [], 'nothing else names what was changed')

  await run('node_modules/.bin/tsc', '-p', 'tsconfig.json')
  await run(process.execPath, 'pages/translation/words.ts', '--strict')
  await run(process.execPath, 'test/helpers/before.ts')
  const built = globSync('build/{client,ssr}/*.{js,css}', { cwd: copy }).map((file) =>
    readFileSync(join(copy, file), 'utf8'),
  )
  t.notMatch(built.join('\n'), new RegExp(gone.join('|')), 'nothing of it is built')
  if (whole) {
    const all = globSync('test/**/*.test.ts', { cwd: copy }).filter((file) => !aboutTheWhole.test(file))
    return run('npm', 'test', '--', ...all)
  }
  for (const test of ['brand/derived', 'brand/served', 'server/config', 'architecture', 'docs']) {
    await run(process.execPath, `test/${test}.test.ts`)
  }
})
