import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { applyPatch, parsePatch, reversePatch } from 'diff'
import t from 'tap'
import { markers, requirePatches } from '../../server/patches.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

t.test('a package that was installed without its patch refuses the boot with one line', async (t) => {
  const folder = t.testdir()
  const modules = pathToFileURL(`${folder}/node_modules/`)
  const patched: string[] = []
  for (const name of globSync('patches/*.patch', { cwd: root }).toSorted().reverse()) {
    const [, dependency = ''] = /patches\/(.+?)\+\d/.exec(name) ?? []
    patched.push(dependency.replace('+', '/'))
    for (const patch of parsePatch(await readFile(root + name, 'utf8'))) {
      const file = (patch.newFileName ?? '').replace(/^b\//, '')
      const source = existsSync(`${folder}/${file}`) ? `${folder}/${file}` : root + file
      const original = applyPatch(await readFile(source, 'utf8'), reversePatch(patch))
      if (original === false) throw new Error(`${name} is not applied`)
      await mkdir(dirname(`${folder}/${file}`), { recursive: true })
      await writeFile(`${folder}/${file}`, original)
    }
  }
  t.same([...new Set(patched)].toSorted(), Object.keys(markers).toSorted(), 'every patch has a marker')
  const lines = Object.keys(markers).map(
    (name) => `${name} is installed without its patch: run \`node patches/apply.js\`, or \`npm ci\` with scripts`,
  )
  t.throws(() => requirePatches(modules), { name: 'BadConfig', message: lines.join('\n') })

  for (const [name, [file]] of Object.entries(markers)) {
    await cp(`${root}node_modules/${name}/${file}`, `${folder}/node_modules/${name}/${file}`)
  }
  t.doesNotThrow(() => requirePatches(modules))
  t.doesNotThrow(() => requirePatches(pathToFileURL(`${folder}/nothing/`)), 'the image lacks packages of the browser')
})
