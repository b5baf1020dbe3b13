import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readModules } from '../graph/modules.ts'
import { moved, withMovedNames, withMovedPaths } from './moves.ts'
import { withRenamed } from './names.ts'

// `npm run upgrade -- 0.4.0`: moves the files and renames the exports that a version calls otherwise, in a copy's own
// files. Run it after the merge (UPGRADING.md). What it can't do is printed.

const [version = ''] = process.argv.slice(2)
const file = new URL(`versions/${version}.ts`, import.meta.url)

if (!/^\d+\.\d+\.\d+$/.test(version) || !existsSync(file)) {
  console.error('Usage: npm run upgrade -- VERSION, such as 0.4.0')
  process.exitCode = 2
} else if (git('status', '--porcelain').length > 0) {
  console.error('The work tree has changes: commit or stash them first')
  process.exitCode = 1
} else {
  const { moves, renames, advice } = await import(file.href)
  upgrade(moves, renames)
  for (const line of advice) console.log(line)
}

function git(...parameters: string[]) {
  return execFileSync('git', parameters, { encoding: 'utf8' }).split('\n').filter(Boolean)
}

function upgrade(moves: Parameters<typeof moved>[1], renames: Parameters<typeof withRenamed>[1]) {
  const files = git('ls-files').filter(
    (each) => !/^(drizzle|examples)\/migrations\/|^development\/upgrade\//.test(each),
  )
  const texts = files.filter((each) => /\.(md|json|css|ya?ml|ts|tsx|js|sh|sql)$|^\.ci\/run$|^Dockerfile$/.test(each))
  for (const module of readModules().values()) write(module.file, withRenamed(module, renames))
  for (const each of texts.filter((name) => !/^(CHANGELOG|UPGRADING)\.md$|^package-lock\.json$/.test(name)))
    write(each, withMovedNames(withMovedPaths(each, readFileSync(each, 'utf8'), moves), moves))
  for (const each of files) {
    const to = moved(each, moves)
    if (to === each) continue
    if (existsSync(to)) {
      console.log(`${each} is called ${to} now, and both are there: take over what is yours, and delete the first`)
      continue
    }
    mkdirSync(dirname(to), { recursive: true })
    execFileSync('git', ['mv', each, to])
  }
}

function write(path: string, source: string) {
  if (readFileSync(path, 'utf8') !== source) writeFileSync(path, source)
}
