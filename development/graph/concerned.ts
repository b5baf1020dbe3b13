import { dirname, join } from 'node:path'
import { byName } from '../../pages/names.ts'
import type { Module } from './modules.ts'

// Which tests concern a change: those that import what changed or what imports it, that have its place below test/, or
// that name its page.

/** What gathers the whole application: by way of it, everything would concern everything. */
const gatherers = [
  /^(app|drizzle\/schema|features\/paths)\.ts$/,
  /^(server|test\/helpers)\//,
  /^pages\/((guest-)?features|bundles|signed-in|ssr|main)\./,
]
const gathers = (file: string) => gatherers.some((pattern) => pattern.test(file))

/** The changed files and what imports them. What gathers counts as a change of its own if `own` has it. */
function reached(own: string[], modules: Map<string, Module>) {
  const all = new Set(own)
  for (const file of all) {
    if (gathers(file) && !own.includes(file)) continue
    for (const module of modules.values())
      if (module.imports.some(({ target, typeOnly }) => target === file && !typeOnly)) all.add(module.file)
  }
  return all
}

/** The tests that concern these files. */
export function concernedBy(own: string[], modules: Map<string, Module>) {
  const all = reached(own, modules)
  const tests = [...modules.values()].filter(({ file }) => isTest(file))
  const mirrored = new Set(own.flatMap((file) => mirrorsOf(file, [...modules.keys()].filter(isTest))))
  return tests
    .filter(({ file, source }) => all.has(file) || mirrored.has(file) || [...all].some((page) => isNamed(source, page)))
    .map(({ file }) => file)
}

export const isTest = (file: string) => /^(test|examples)\/.*\.test\.ts$/.test(file)

/**
 * `features/pictures/decoder.ts` has its tests in `test/pictures`, `plugins/lists.ts` in `test/plugins/lists.test.ts`,
 * and `pages/styles/pictures.css` in `test/browser/pictures.test.ts`. A folder without tests has those of the one
 * above.
 */
function mirrorsOf(file: string, tests: string[]) {
  if (!/^(features|plugins|server|commands|development|pages|brand|examples)\//.test(file)) return []
  const place = file.replace(/^features\//, '').replace(/^examples\/(\w+).*/, '../examples/$1/')
  const steps = place.split('/').map((step) => step.replace(/\..+$/, ''))
  const seen = file.startsWith('pages/') ? steps.slice(1).map((step) => `test/browser/${step}.test.ts`) : []
  const own = tests.filter((test) => test === `test/${steps.join('/')}.test.ts` || seen.includes(test))
  if (file.endsWith('.css')) return own.length > 0 ? own : ['test/browser/layout.test.ts', 'test/pages/size.test.ts']
  for (const folder of steps.map((_, at) => join('test', ...steps.slice(0, -1 - at)))) {
    const beside = tests.filter((test) => dirname(test) === folder)
    if (folder !== 'test' && beside.length > 0) return [...own, ...beside]
  }
  return own
}

/** A page's tests name it as the server does: 'settings/profile'. */
function isNamed(source: string, file: string) {
  const isPage = /^pages\/.+\.page\.tsx$/.test(file)
  return (
    isPage && Object.keys(byName({ [file.replace('pages/', '')]: file })).some((name) => source.includes(`'${name}'`))
  )
}
