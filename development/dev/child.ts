import '../../server/preload.ts'
import { on } from 'node:events'

// A server under `npm run dev`. It is started before it is needed, loads the packages that the server before it had
// loaded, and waits. Imports none of our sources that a save may change: it would serve what they were before.

export type Order = { packages: string[] } | 'serve'

const exit = () => process.exit()
process.once('disconnect', exit)

for await (const [order] of on(process, 'message')) {
  if (order === 'serve') break
  // One that is gone is for the server to report.
  await Promise.allSettled(order.packages.map((name: string) => import(name)))
}
process.off('disconnect', exit)
if (!process.connected) exit()
await import('../../server.ts')
