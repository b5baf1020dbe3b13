import './preload.ts'
import { loadConfig } from './config.ts'
import { failStart } from './describe-error.ts'
import { stopOnce } from './parent.ts'
import { prepare } from './prepare.ts'
import { isAnythingStarted, shutDownWithGrace } from './shutdown.ts'
import type { Prepared } from './supervise.ts'

// Everything that must happen once before several processes serve. It runs in a process of its own, because it loads
// the application, which the supervisor should not. If it started a database, it stays until it is told to stop, and
// the database stops with it.

process.on('SIGINT', () => {}) // Ctrl-C reaches every process of the terminal, but the supervisor decides when to stop
shutDownWithGrace(['SIGINT'])

process.once('disconnect', stopOnce) // the supervisor is gone

try {
  const given = loadConfig(process.env)
  const { config, made } = await prepare(given, process.env)
  if (!config.production) (await import('../development/greet.ts')).greet(config, given)
  const { processes, drainSeconds, logLevel, bind, metricsPort } = config
  // Generated values, such as a secret or a database URL, must be the same in every process.
  process.send?.({ processes, drainSeconds, logLevel, bind, metricsPort, environment: made } satisfies Prepared)
  if (!isAnythingStarted()) process.off('disconnect', stopOnce).disconnect()
} catch (error) {
  await failStart(error)
}
