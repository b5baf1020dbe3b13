import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const page = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Threat|Section) /.test(line))
const testsIn = (line: string) => [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file)

t.test('every defence in SECURITY.md names its tests, and they exist', async (t) => {
  t.ok(rows.length > 60)
  for (const row of rows) {
    const isClaim = !/^\|[^|]+\| (gap|not applicable) \|/.test(row)
    if (isClaim) t.ok(testsIn(row).length > 0, row)
    for (const file of testsIn(row)) t.ok(existsSync(new URL(`../${file}`, import.meta.url)), file)
  }
})
