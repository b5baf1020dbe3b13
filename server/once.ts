import './preload.ts'
import closeWithGrace from 'close-with-grace'
import { loadConfig } from './config.ts'
import { explain } from './explain.ts'
import { greet, prepare } from './prepare.ts'
import { exitWithin, isAnythingStarted, stopAll } from './stops.ts'
import type { Prepared } from './supervise.ts'

// What happens once before several processes serve, in a process of its own: it needs the application, which the one that watches shall not carry. A
// database that it had to start ends with it, so it then stays until it is told to go.

process.on('SIGINT', () => {}) // a terminal interrupts all processes; the one that watches says when to stop
closeWithGrace({ delay: false, logger: false, skip: ['SIGINT'] }, async ({ err }) => {
  if (err) console.error(err)
  exitWithin(9)
  await stopAll()
})

try {
  const given = loadConfig(process.env)
  const { config, made } = await prepare(given, process.env)
  if (!config.production) greet(config, given)
  const { processes, drainSeconds, logLevel, bind, metricsPort } = config
  // What was made up here (a secret, a database) must be the same in every process.
  process.send?.({ processes, drainSeconds, logLevel, bind, metricsPort, environment: made } satisfies Prepared)
  if (isAnythingStarted()) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  else process.disconnect()
} catch (error) {
  console.error(explain(error))
  await stopAll()
  process.exit(1)
}
