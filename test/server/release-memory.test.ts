import { setImmediate as nextTurn } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import t from 'tap'
import { releaseMemory } from '../../server/release-memory.ts'

const mebibyte = 1_048_576
const forYoungObjects = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

t.test('a process returns the space for young objects that its start needed', async (t) => {
  let held: object[] = []
  for (let turn = 0; turn < 200 && forYoungObjects() <= 8 * mebibyte; turn++) {
    held = Array.from({ length: 50_000 }, (_, number) => ({ number }))
    await nextTurn()
  }
  held.length = 0
  t.ok(forYoungObjects() > 8 * mebibyte)
  releaseMemory()
  t.ok(forYoungObjects() <= 4 * mebibyte)
})
