import { eq } from 'drizzle-orm'
import { command, configured, done, notPossible, openApp, Usage } from '../../commands/command.ts'
import { migrate } from '../../drizzle/migrate.ts'
import { users } from '../../drizzle/schema.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { signUp } from '../../features/auth/users.ts'
import { fillAccount, fillMember } from '../world/people.ts'
import { password } from '../world/populate.ts'
import { requireOwnDatabase } from './refuse.ts'

// `npm run db:seed`: people, accounts, invitations and activity, as on the pictures of `npm run screenshots`.

const client = { ipAddress: '127.0.0.1', userAgent: '' }

await command({
  usage: 'Usage: npm run db:seed',
  async run(words) {
    if (words.length > 0) throw new Usage()
    const config = await configured()
    requireOwnDatabase(config)
    await migrate(config.database.direct, console.log)
    const app = await openApp(config)

    const verified = { verified: true, verifiedAt: app.now() }
    async function add(name: string, email: string) {
      const { user } = await signUp(app, { name, email, password }, client)
      await app.db.update(users).set(verified).where(eq(users.id, user.id))
      return user.id
    }
    const [someone] = await app.db.select({ id: users.id }).from(users).where(eq(users.email, 'ana@example.com'))
    if (someone) {
      console.error('ana@example.com is there already: `npm run db:reset` empties the database')
      return notPossible
    }
    const ana = await add('Ana García', 'ana@example.com')
    const ben = await add('Ben Okafor', 'ben@example.com')
    const acme = await app.db.transaction((tx) => createAccount(tx, 'Acme', ana))
    await fillAccount(app, acme.id, ana, ben)
    await fillMember(app, ben)
    console.log(`Sign in as ana@example.com, who owns Acme, or as ben@example.com. The password: ${password}`)
    return done
  },
})
