import { buildWhatIsStale } from '../../development/build.ts'
import { startDatabase } from '../lib/database.ts'
import { startApplication } from '../lib/processes.ts'
import { printTable, type Row } from '../lib/table.ts'
import { collectAccounts } from './accounts.ts'
import { hangUp } from './attacker.ts'
import { holdBodies } from './bodies.ts'
import { claimFirst } from './claims.ts'
import { guessOneAccount } from './guesses.ts'
import { starveHashing } from './hashing.ts'
import { crowdLive } from './live.ts'
import { startMailbox } from './mailbox.ts'
import { sendMails } from './mails.ts'
import { uploadPictures } from './pictures.ts'
import { weighRequests } from './requests.ts'
import { compareNext, compareTimes } from './timing.ts'
import { keepAWayIn } from './ways-in.ts'

// `npm run abuse`: attacks a production build with real requests and reports what an attacker achieves, also one kind
// alone: `npm run abuse -- claims timing`.

const teardowns: (() => Promise<unknown>)[] = []
const rows: Row[] = []
try {
  await buildWhatIsStale()
  const database = await startDatabase()
  teardowns.push(database.stop)
  const mailbox = await startMailbox()
  teardowns.push(mailbox.stop)
  const start = async () => {
    const application = await startApplication(database.url, mailbox.environment)
    teardowns.push(application.stop)
    return application
  }
  let shared: ReturnType<typeof start> | undefined
  const url = async () => {
    shared ??= start()
    return (await shared).url
  }

  const attacks: Record<string, () => Promise<Row[]>> = {
    // memory first, and in a process of its own that has done nothing yet
    bodies: async () => holdBodies(await start()),
    pictures: async () => uploadPictures(await start()),
    requests: async () => weighRequests(await start()),
    guesses: async () => guessOneAccount(await url()),
    mails: async () => sendMails(await url(), database.url, mailbox),
    claims: async () => claimFirst(await url(), database.url, mailbox),
    'ways-in': async () => keepAWayIn(await url(), database.url, mailbox),
    live: async () => crowdLive(await url(), database.url),
    accounts: async () => collectAccounts(await url(), database.url),
    timing: async () => compareTimes(await url(), database.url),
    next: async () => compareNext(await url(), database.url),
    hashing: async () => starveHashing(await url()),
  }
  const named = process.argv.slice(2)
  const unknown = named.find((name) => !(name in attacks))
  if (unknown) throw new Error(`${unknown} is none of ${Object.keys(attacks).join(', ')}`)
  for (const [name, attack] of Object.entries(attacks)) {
    if (named.length === 0 || named.includes(name)) rows.push(...(await attack()))
  }
} finally {
  hangUp()
  for (const stop of teardowns.reverse()) await stop()
}
printTable(rows)
