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
  return tests
    .filter(
      ({ file: test, source }) =>
        all.has(test) || own.some((file) => isMirrored(test, file)) || [...all].some((file) => isNamed(source, file)),
    )
    .map(({ file }) => file)
}

export const isTest = (file: string) => /^(test|examples)\/.*\.test\.ts$/.test(file)

/** `features/pictures/decoder.ts` has its tests in `test/pictures`, and `plugins/lists.ts` in `test/plugins/lists.test.ts`. */
function isMirrored(test: string, file: string) {
  const place = file.replace(/^features\//, '').replace(/^examples\/(\w+).*/, '../examples/$1/')
  const folder = place.split('/').slice(0, -1).join('/')
  const isSource = /^(features|plugins|server|commands|development|pages|brand|examples)\//.test(file)
  return (
    isSource &&
    (test === `test/${place.replace(/\.tsx?$/, '.test.ts')}` ||
      (folder !== '' && `test/${folder}/` === `${test.split('/').slice(0, -1).join('/')}/`))
  )
}

/** A page's tests name it as the server does: 'settings/profile'. */
function isNamed(source: string, file: string) {
  const isPage = /^pages\/.+\.page\.tsx$/.test(file)
  return (
    isPage && Object.keys(byName({ [file.replace('pages/', '')]: file })).some((name) => source.includes(`'${name}'`))
  )
}
