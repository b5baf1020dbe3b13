import { buildWhatIsStale } from '../development/build.ts'
import { hangUp } from './abuse/attacker.ts'
import { holdBodies } from './abuse/bodies.ts'
import { guessOneAccount } from './abuse/guesses.ts'
import { starveHashing } from './abuse/hashing.ts'
import { crowdLive } from './abuse/live.ts'
import { sendMails, startMailbox } from './abuse/mails.ts'
import { compareTimes } from './abuse/timing.ts'
import { startDatabase } from './database.ts'
import { startApplication } from './processes.ts'
import { printTable, type Row } from './table.ts'

// `npm run abuse`: attacks a production build with real requests and reports what an attacker achieves.

const stops: (() => Promise<unknown>)[] = []
const rows: Row[] = []
try {
  await buildWhatIsStale()
  const database = await startDatabase()
  stops.push(database.stop)
  const mailbox = await startMailbox()
  stops.push(mailbox.stop)
  const start = async () => {
    const application = await startApplication(database.url, mailbox.environment)
    stops.push(application.stop)
    return application
  }

  // memory first, while the process has done nothing yet
  rows.push(...(await holdBodies(await start())))
  const { url } = await start()
  rows.push(...(await guessOneAccount(url)))
  rows.push(...(await sendMails(url, database.url, mailbox)))
  rows.push(...(await crowdLive(url, database.url)))
  rows.push(...(await compareTimes(url, database.url)))
  rows.push(...(await starveHashing(url)))
} finally {
  hangUp()
  for (const stop of stops.reverse()) await stop()
}
printTable(rows)
