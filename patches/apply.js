import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { applyPatch, parsePatch, reversePatch } from 'diff'

// Runs after every install, also for the image. It is JavaScript, because npm may run it with a Node that does not
// strip types.

const root = new URL('../', import.meta.url)
const patches = readdirSync(new URL('patches/', root)).filter((name) => name.endsWith('.patch'))

for (const name of patches) {
  const [, dependency, version] = /^(.+)\+([^+]+)\.patch$/.exec(name) ?? []
  const manifestFile = new URL(`node_modules/${dependency.replace('+', '/')}/package.json`, root)
  if (!existsSync(manifestFile)) continue // the image has no packages of the browser
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  if (manifest.version !== version) throw new Error(`patches/${name} is not for ${dependency} ${manifest.version}`)
  for (const patch of parsePatch(readFileSync(new URL(`patches/${name}`, root), 'utf8'))) mend(name, patch)
}

/** Applies a patch exactly or fails. A file that is already patched stays as it is. */
function mend(name, patch) {
  const file = new URL(patch.newFileName.replace(/^b\//, ''), root)
  const source = readFileSync(file, 'utf8')
  if (applyPatch(source, reversePatch(patch)) !== false) return
  const mended = applyPatch(source, patch)
  if (mended === false) throw new Error(`patches/${name} does not fit ${patch.newFileName}`)
  writeFileSync(file, mended)
}
