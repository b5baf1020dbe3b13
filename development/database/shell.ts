import { spawnSync } from 'node:child_process'
import { command, configured, done, notPossible } from '../../commands/command.ts'
import { type Address, withClient } from '../../plugins/database/index.ts'

// `npm run db`: psql on the database of `npm run dev`. With words, as in `npm run db -- "select * from users"`, only
// that, without psql.

await command({
  usage: 'Usage: npm run db [-- "STATEMENT"]',
  async run(words) {
    const { database } = await configured()
    if (words.length === 0) return psql(database.address)
    const { rows, command, rowCount } = await withClient(database.address, (client) => client.query(words.join(' ')))
    if (rows.length > 0) console.table(rows)
    console.log(`${command} ${rowCount ?? ''}`.trim())
    return done
  },
})

function psql({ host, port, user, password, database, ssl }: Address) {
  process.on('SIGINT', () => {}) // Ctrl-C is psql's, which cancels a statement
  // Not as an argument: every user of the machine could read the password in the list of processes.
  const login = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password, PGDATABASE: database }
  const env = { ...process.env, ...login, ...(ssl && { PGSSLMODE: 'require' }) }
  const { error, status } = spawnSync('psql', { stdio: 'inherit', env })
  if (error) console.error('psql is not installed. `npm run db -- "select …"` does without it.')
  return status ?? notPossible
}
