import { setTimeout as sleep } from 'node:timers/promises'
import { stopUnused } from './index.ts'

// Started by when-gone.ts. Tries again, because a killed process may have left a server that is still starting, and its
// locks may outlive its pipe by a moment.

const [folder = ''] = process.argv.slice(2)
for (const seconds of [0, 1, 3]) {
  await sleep(seconds * 1000)
  await stopUnused(folder)
}
