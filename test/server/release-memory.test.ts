import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import t from 'tap'
import { releaseMemoryAfterLoad } from '../../server/release-memory.ts'

const mebibyte = 1_048_576
const forYoungObjects = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

t.test('a process returns memory once a load is over, and not before', async (t) => {
  setFlagsFromString('--no-memory-reducer') // which might do the same after a while
  releaseMemoryAfterLoad({ every: 50 })
  let held: object[] = []
  for (const end = performance.now() + 400; performance.now() < end; ) {
    held = Array.from({ length: 50_000 }, (_, number) => ({ number }))
    await nextTurn()
  }
  t.equal(held.length, 50_000)
  t.ok(forYoungObjects() > 8 * mebibyte, 'it was not returned during the load')
  for (let tries = 0; tries < 1_000 && forYoungObjects() > 4 * mebibyte; tries++) await sleep(10)
  t.ok(forYoungObjects() <= 4 * mebibyte)
})
