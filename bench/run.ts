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
import { writeReadme } from './readme.ts'
import { benchRoundTrips } from './round-trips.ts'
import { benchScale } from './scale.ts'
import { benchSignIn } from './sign-in.ts'
import { benchSignInPage } from './sign-in-page.ts'
import { benchSignUp } from './sign-up.ts'
import { benchSweep } from './sweep.ts'
import { printTable, type Row } from './table.ts'
import { signUp } from './visitor.ts'

// `npm run bench`: what the application costs, compared with minimal Fastify routes that do the same work. With
// `-- --scale` instead: what it costs with a million users, compared with a thousand. With `-- --readme` too, the table
// becomes that of README.md.

const isScale = process.argv.includes('--scale')
const stops: (() => Promise<unknown>)[] = []
const rows: Row[] = []
try {
  await buildWhatIsStale()
  const database = await startDatabase()
  stops.push(database.stop)
  if (isScale) rows.push(...(await benchScale(database.url)))
  else await benchEverything(database.url)
} finally {
  for (const stop of stops.reverse()) await stop()
}
printTable(rows)
if (process.argv.includes('--readme')) await writeReadme(isScale ? 'npm run bench -- --scale' : 'npm run bench', rows)

async function benchEverything(databaseUrl: string) {
  const application = await startApplication(databaseUrl)
  stops.push(application.stop)
  const person = await signUp(application.url)
  const ceiling = await startCeiling(databaseUrl)
  stops.push(ceiling.stop)

  rows.push(...(await benchAccountPages(application.url, ceiling.url, person)))
  rows.push(...(await benchSignInPage(application.url, ceiling.url)))
  rows.push(...(await benchSignIn(application.url, ceiling.url, person)))
  rows.push(...(await benchSignUp(application.url, ceiling.url)))
  rows.push(...(await benchMembers(application.url, databaseUrl, person)))
  rows.push(...(await benchActivity(application.url, databaseUrl, person)))
  rows.push(...(await benchBundle(application.url)))
  await Promise.all([application.stop(), ceiling.stop()])
  rows.push(...(await benchRoundTrips(databaseUrl)))
  rows.push(...(await benchSweep(databaseUrl, person)))
  rows.push(...(await benchMails(databaseUrl)))
  rows.push(...(await benchBoot(databaseUrl)))
  rows.push(...(await benchMemory(databaseUrl)))
  rows.push(...(await benchLog(databaseUrl)))
  rows.push(...(await benchOverload(databaseUrl)))
  rows.push(...(await benchCommits(databaseUrl)))
  rows.push(...(await benchLive(databaseUrl)))
}
