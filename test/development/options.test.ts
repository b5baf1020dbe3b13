import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { readModules, root } from '../../development/graph/modules.ts'
import { everyFile, isOf, isTable, type Option, readOptions } from '../../development/without/options.ts'
import { planWithout } from '../../development/without/plan.ts'
import { childEnvironment } from '../helpers/children.ts'
import { prepareServer } from '../helpers/test-server.ts'

const tests = [
  ...['test/endpoints.test.ts', 'test/paths.test.ts', 'test/auth/sign-up.test.ts', 'test/auth/sign-in.test.ts'],
  ...['test/accounts/accounts.test.ts', 'test/accounts/members.test.ts', 'test/settings/profile.test.ts'],
]

t.test(
  'the core answers without any options, of which every two meet in all four states of there and out',
  async (t) => {
    const [modules, files] = [readModules(), everyFile()]
    const options = readOptions(modules, files).filter((option) =>
      option.files.some((file) => file.startsWith('features/')),
    )
    const planOf = (out: string[]) => {
      const own = files.filter((file) => out.some((name) => isOf(name, file)))
      const { changed, gone, broken } = planWithout(
        own.filter((file) => !isTable(file)),
        modules,
        own.filter(isTable),
      )
      t.same(broken, [])
      return { changed: [...changed], gone: [...gone], tests }
    }
    const server = await prepareServer()
    t.teardown(server.stop)
    const env = { ...childEnvironment(), TEST_SERVER: server.url, TAP_TIMEOUT: '600' }
    const sets = coveringSets(options)
    t.ok(sets.length <= 12, `${sets.length} sets`)
    const waiting = [...sets]
    const take = async () => {
      for (let out = waiting.pop(); out; out = waiting.pop()) {
        const parameters = ['--import=./test/preload.ts', 'test/helpers/taken-out.ts']
        const child = spawn(process.execPath, parameters, { cwd: root, env })
        child.stdin.end(JSON.stringify(planOf(out)))
        const [[code], said, complaint] = await Promise.all([
          once(child, 'exit'),
          text(child.stdout),
          text(child.stderr),
        ])
        t.equal(code, 0, `without ${out.join(', ')}`)
        if (code !== 0) t.comment(`${said}${complaint}`)
      }
    }
    await Promise.all([take(), take()])
  },
)

/** Names of options that are out, set by set: each time those with which most pairs meet in a state that was not yet. */
function coveringSets(options: Option[]) {
  const subsets = Array.from({ length: 2 ** options.length }, (_, bits) => options.filter((_, at) => (bits >> at) & 1))
  const whole = subsets
    .map((out) => new Set(out.map(({ name }) => name)))
    .filter((out) => options.every(({ name, needs }) => out.has(name) || !needs.some((each) => out.has(each))))
  const met = whole.map((out) => ({ out, pairs: pairsIn(options, out) }))
  const open = new Set(met.flatMap(({ pairs }) => pairs))
  const sets: string[][] = []
  while (open.size > 0) {
    const counted = met.map(({ out, pairs }) => ({ out, pairs, count: pairs.filter((pair) => open.has(pair)).length }))
    const best = counted.reduce((one, other) => (other.count > one.count ? other : one))
    for (const pair of best.pairs) open.delete(pair)
    sets.push([...best.out])
  }
  return sets
}

const pairsIn = (options: Option[], out: Set<string>) => {
  const states = options.map(({ name }) => `${name} ${out.has(name) ? 'out' : 'there'}`)
  return states.flatMap((one, at) => states.slice(at + 1).map((other) => `${one}, ${other}`))
}
