import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { applyPatch, parsePatch, reversePatch } from 'diff'

// Runs after every install, also for the image. It is JavaScript, because npm may run it with a Node that does not
// strip types.

const root = new URL('../', import.meta.url)
const patchesOf = new Map() // by file, in the order of their names

for (const name of readdirSync(new URL('patches/', root)).sort()) {
  const [, dependency, version] = /^(.+?)\+(\d[^+]*?)(?:\+\d{3}\+.+)?\.patch$/.exec(name) ?? []
  if (!dependency) continue
  const manifestFile = new URL(`node_modules/${dependency.replace('+', '/')}/package.json`, root)
  if (!existsSync(manifestFile)) continue // the image has no packages of the browser
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  if (manifest.version !== version) throw new Error(`patches/${name} is not for ${dependency} ${manifest.version}`)
  for (const patch of parsePatch(readFileSync(new URL(`patches/${name}`, root), 'utf8'))) {
    const file = patch.newFileName.replace(/^b\//, '')
    patchesOf.set(file, [...(patchesOf.get(file) ?? []), patch])
  }
}

for (const [file, patches] of patchesOf) {
  const source = readFileSync(new URL(file, root), 'utf8')
  const patched = apply(source, patches)
  if (patched === false) throw new Error(`the patches do not fit ${file}: delete the package and install it again`)
  if (patched !== source) writeFileSync(new URL(file, root), patched)
}

/** Applies exactly, or returns false. The first ones may have been applied before. */
function apply(source, patches) {
  for (let count = patches.length; count >= 0; count--) {
    const original = applyAll(source, patches.slice(0, count).reverse().map(reversePatch))
    if (original !== false) return applyAll(source, patches.slice(count))
  }
}

function applyAll(source, patches) {
  return patches.reduce((text, patch) => text !== false && applyPatch(text, patch), source)
}
