import { readFileSync } from 'node:fs'
import t from 'tap'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const page = read('SECURITY.md')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Threat|Section) /.test(line))

/** Files with the sentences that are quoted behind them. */
const proofsIn = (text: string) =>
  Array.from(text.matchAll(/`(test\/[^`]+)`((?:,?\s“[^”]+”)*)/g), ([, file = '', quoted = '']) => ({
    file,
    sentences: Array.from(quoted.matchAll(/“([^”]+)”/g), ([, sentence = '']) => sentence),
  }))

/** What a file calls its tests, without what a loop adds. */
const titlesIn = (file: string) =>
  new Set(
    Array.from(read(file).matchAll(/\bt\.test\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g), ([, , title = '']) =>
      title.replaceAll(/\\(.)/g, '$1').replace(/ \(\$\{[^}]+\}\)$/, ''),
    ),
  )

t.test('every defence in SECURITY.md names the sentences that prove it, and each is a test', async (t) => {
  t.ok(rows.length > 60)
  for (const row of rows) {
    const isClaim = !/^\|[^|]+\| (gap|not applicable) \|/.test(row)
    if (isClaim) t.ok(proofsIn(row).length > 0, row)
  }
  for (const { file, sentences } of proofsIn(page)) {
    const titles = titlesIn(file)
    t.ok(sentences.length > 0, `a sentence of ${file}`)
    for (const sentence of sentences) t.ok(titles.has(sentence), `${file}: ${sentence}`)
  }
})
