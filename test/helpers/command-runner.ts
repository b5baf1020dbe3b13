import { stackOf } from '../../plugins/http/logging.ts'

// A process that runs scripts one after the other, each as if it were alone.

export type Asked = { path: string; env: Record<string, string | undefined>; words: string[] }
export type Ran = { code: number; out: string; err: string }

let ran: Ran = { code: 0, out: '', err: '' }
const collectAs = (name: 'out' | 'err') => (text: string | Uint8Array) => {
  ran[name] += text
  return true
}
process.stdout.write = collectAs('out')
process.stderr.write = collectAs('err')
process.stdout.setMaxListeners(0) // each script adds one

let count = 0

process.on('disconnect', () => process.exit())
process.on('message', async ({ path, env, words }: Asked) => {
  ran = { code: 0, out: '', err: '' }
  process.env = env
  process.argv.splice(1, Number.POSITIVE_INFINITY, path, ...words)
  process.exitCode = 0
  try {
    await import(`${path}?${++count}`) // or it would run once
  } catch (error) {
    process.exitCode = 1
    ran.err += stackOf(error as Error)
  }
  process.send?.({ ...ran, code: Number(process.exitCode) })
})
