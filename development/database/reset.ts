import { command, configured, done, Usage } from '../../commands/command.ts'
import { migrate, migrateQueue } from '../../drizzle/migrate.ts'
import { openClient } from '../../plugins/database/index.ts'
import { onShutdown } from '../../server/shutdown.ts'
import { requireOwnDatabase } from './refuse.ts'

// `npm run db:reset`: empties the development database and applies all migrations.

await command({
  usage: 'Usage: npm run db:reset',
  async run(words) {
    if (words.length > 0) throw new Usage()
    const config = await configured()
    requireOwnDatabase(config)
    const client = openClient(config.database.direct, { pool: 1, name: 'accounts reset' })
    onShutdown(() => client.end({ timeout: 1 }))
    await client.unsafe(`
      drop schema if exists public, drizzle, pgboss cascade;
      create schema public`)
    await migrate(config.database.direct, console.log)
    await migrateQueue(config.queue.address, console.log, config.queue.profile)
    console.log('The database is empty. A server that runs has to be started anew.')
    return done
  },
})
