import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

const module = new URL('../../../plugins/http/log-output.ts', import.meta.url)
const line = 'x'.repeat(300)
const count = 1000 // more than a pipe takes
const write = `
  const { logOutput, logRead } = await import('${module}')
  const output = logOutput()
  for (let n = 0; n < ${count}; n++) output.write('${line}\\n')
  await logRead()
  process.exit()`

t.test('what processes write to one pipe at once arrives in whole lines, before they end', async (t) => {
  const both = '("$0" -e "$1" & "$0" -e "$1" & wait) | dd bs=512'
  const { stdout } = await promisify(execFile)('sh', ['-c', both, process.execPath, write])
  const lines = stdout.trimEnd().split('\n')
  t.equal(lines.length, 2 * count)
  t.same([...new Set(lines)], [line])
})
