import t from 'tap'
import type { Option } from '../../development/without/options.ts'
import { prepareServer } from '../helpers/test-server.ts'
import { withoutOptions } from '../helpers/without.ts'

const tests = [
  ...['test/endpoints.test.ts', 'test/paths.test.ts', 'test/auth/sign-up.test.ts', 'test/auth/sign-in.test.ts'],
  ...['test/accounts/accounts.test.ts', 'test/accounts/members.test.ts', 'test/settings/profile.test.ts'],
]

t.test(
  'the core answers without any options, of which every two meet in all four states of there and out',
  async (t) => {
    const server = await prepareServer()
    t.teardown(server.stop)
    const { options, run } = withoutOptions(server)
    // With all of them, each of these tests runs where it is.
    const sets = coveringSets(options).filter((out) => out.length > 0)
    t.ok(sets.length <= 12, `${sets.length} sets`)
    const waiting = [...sets]
    const take = async () => {
      for (let out = waiting.pop(); out; out = waiting.pop()) {
        t.equal(await run(out, tests), undefined, `without ${out.join(', ')}`)
      }
    }
    await Promise.all([take(), take()])
  },
)

/**
 * Names of options that are out, set by set: each time those with which most pairs meet in a state that was not yet.
 */
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
