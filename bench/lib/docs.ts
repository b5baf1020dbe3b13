import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import type { Row } from './table.ts'

const file = new URL('../../docs/speed.md', import.meta.url)

/** Puts the table into docs/speed.md, between the comments with this name. Nobody edits it by hand. */
export async function writeDocs(name: string, rows: Row[]) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
  const page = await readFile(file, 'utf8')
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)]
  if (from < begin.length || to < from) throw new Error(`docs/speed.md has no place for the output of ${name}`)
  await writeFile(file, `${page.slice(0, from)}${markdown(name, rows)}${page.slice(to)}`)
}

function markdown(name: string, rows: Row[]) {
  const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`
  return [
    `Written by \`${name}\` with \`--docs\` on ${new Date().toISOString().slice(0, 10)} (${machine}):`,
    '',
    '| What | Target | Result |',
    '|---|---|---|',
    ...rows.map(({ what, target, result, met }) => `| ${what} | ${target} | ${result}${met ? '' : ', **missed**'} |`),
    '',
  ].join('\n')
}
