import { buildWhatIsStale } from '../development/build.ts'
import { benchAccountPages } from './account-pages.ts'
import { benchActivity } from './activity.ts'
import { benchBoot } from './boot.ts'
import { benchBundle } from './bundle.ts'
import { startDatabase } from './database.ts'
import { benchLive } from './live.ts'
import { benchCommits } from './live-commits.ts'
import { benchLog } from './log.ts'
import { benchMails } from './mails.ts'
import { benchMembers } from './members.ts'
import { benchMemory } from './memory.ts'
import { benchOverload } from './overload.ts'
import { startApplication, startCeiling } from './processes.ts'
import { benchRoundTrips } from './round-trips.ts'
import { benchSignIn } from './sign-in.ts'
import { benchSignInPage } from './sign-in-page.ts'
import { benchSignUp } from './sign-up.ts'
import { benchSweep } from './sweep.ts'
import { printTable, type Row } from './table.ts'
import { signUp } from './visitor.ts'

// `npm run bench`: what the application costs, compared with minimal Fastify routes that do the same work.

const stops: (() => Promise<unknown>)[] = []
const rows: Row[] = []
try {
  await buildWhatIsStale()
  const database = await startDatabase()
  stops.push(database.stop)
  const application = await startApplication(database.url)
  stops.push(application.stop)
  const person = await signUp(application.url)
  const ceiling = await startCeiling(database.url)
  stops.push(ceiling.stop)

  rows.push(...(await benchAccountPages(application.url, ceiling.url, person)))
  rows.push(...(await benchSignInPage(application.url, ceiling.url)))
  rows.push(...(await benchSignIn(application.url, ceiling.url, person)))
  rows.push(...(await benchSignUp(application.url, ceiling.url)))
  rows.push(...(await benchMembers(application.url, database.url, person)))
  rows.push(...(await benchActivity(application.url, database.url, person)))
  rows.push(...(await benchBundle(application.url)))
  await Promise.all([application.stop(), ceiling.stop()])
  rows.push(...(await benchRoundTrips(database.url)))
  rows.push(...(await benchSweep(database.url, person)))
  rows.push(...(await benchMails(database.url)))
  rows.push(...(await benchBoot(database.url)))
  rows.push(...(await benchMemory(database.url)))
  rows.push(...(await benchLog(database.url)))
  rows.push(...(await benchOverload(database.url)))
  rows.push(...(await benchCommits(database.url)))
  rows.push(...(await benchLive(database.url)))
} finally {
  for (const stop of stops.reverse()) await stop()
}
printTable(rows)
