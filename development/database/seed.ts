import { eq } from 'drizzle-orm'
import { command, done, notPossible, openApp, Usage } from '../../commands/command.ts'
import { migrate } from '../../drizzle/migrate.ts'
import { users } from '../../drizzle/schema.ts'
import { password, seed } from './people.ts'
import { ownDatabase } from './refuse.ts'

// `npm run db:seed`: fills the development database.

await command({
  usage: 'Usage: npm run db:seed',
  async run(words) {
    if (words.length > 0) throw new Usage()
    const config = await ownDatabase()
    await migrate(config.database.direct, console.log)
    const app = await openApp(config)
    if (await app.db.$count(users, eq(users.email, 'ana@example.com'))) {
      console.error('ana@example.com is there already: `npm run db:reset` empties the database')
      return notPossible
    }
    await seed(app)
    console.log(`Sign in as ana@example.com, who owns Acme, or as ben@example.com. The password: ${password}`)
    return done
  },
})
