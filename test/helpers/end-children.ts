import { setTimeout as sleep } from 'node:timers/promises'
import { processesWith } from './marked.ts'

// Started by children.ts once a test has ended. Tries again, since a process may be starting another one.

const [variable = ''] = process.argv.slice(2)
for (let tries = 0; tries < 20; tries++) {
  const left = await processesWith(variable)
  if (left.length === 0) break
  for (const { pid } of left) kill(pid)
  await sleep(100)
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended meanwhile
  }
}
