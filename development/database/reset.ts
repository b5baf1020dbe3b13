import { command, done, Usage } from '../../commands/command.ts'
import { migrate } from '../../drizzle/migrate.ts'
import { withClient } from '../../plugins/database/index.ts'
import { ownDatabase } from './refuse.ts'

// `npm run db:reset`: empties the development database and applies all migrations.

await command({
  usage: 'Usage: npm run db:reset',
  async run(words) {
    if (words.length > 0) throw new Usage()
    const config = await ownDatabase()
    const all = 'drop schema if exists public, drizzle, pgboss cascade; create schema public'
    await withClient(config.database.direct, (client) => client.query(all), { statement: 0 })
    await migrate(config.database.direct, console.log)
    console.log('The database is empty. A server that runs has to be started anew.')
    return done
  },
})
