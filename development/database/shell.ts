import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type postgres from 'postgres'
import { command, configured, done, notPossible } from '../../commands/command.ts'
import { type Address, openClient } from '../../plugins/database/index.ts'
import { onShutdown } from '../../server/shutdown.ts'

// `npm run db`: psql on the database of `npm run dev`, or a small shell where psql is not installed. With words, as in
// `npm run db -- "select * from users"`, only that.

await command({
  usage: 'Usage: npm run db [-- "STATEMENT"]',
  async run(words) {
    const { database } = await configured()
    if (words.length === 0) {
      const code = await psql(database.address)
      if (code !== undefined) return code
    }
    const client = openClient(database.address, { pool: 1, name: 'accounts shell' })
    onShutdown(() => client.end({ timeout: 1 }))
    if (words.length > 0) return (await print(client, words.join(' '))) ? done : notPossible
    await converse(client)
    return done
  },
})

/** Its exit code, or undefined if it is not installed. */
async function psql({ hosts, path, user, password, database, tls }: Address) {
  const child = spawn('psql', [], {
    stdio: 'inherit',
    // Not as an argument: every user of the machine could read the password in the list of processes.
    env: {
      ...process.env,
      PGHOST: path ? path.replace(/\/[^/]*$/, '') : hosts.map(({ host }) => host).join(','),
      PGPORT: path ? path.split('.').at(-1) : hosts.map(({ port }) => port).join(','),
      PGUSER: user,
      PGPASSWORD: password,
      PGDATABASE: database,
      ...(typeof tls === 'object' ? { PGSSLMODE: 'require' } : {}),
    },
  })
  const ignore = () => {} // Ctrl-C is psql's, which cancels a statement
  process.on('SIGINT', ignore)
  try {
    const [code] = await once(child, 'exit')
    return Number(code ?? notPossible)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    process.off('SIGINT', ignore)
  }
}

async function converse(client: postgres.Sql) {
  console.log('A statement ends with ; and Ctrl-D ends this. Install psql for more.')
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '=> ' })
  let isOpen = true
  lines.once('close', () => {
    isOpen = false
  })
  lines.prompt()
  let statement = ''
  for await (const line of lines) {
    statement += `${line}\n`
    if (/;\s*$/.test(statement)) {
      await print(client, statement)
      statement = ''
    }
    if (isOpen) lines.prompt()
  }
}

async function print(client: postgres.Sql, statement: string) {
  try {
    const rows = await client.unsafe(statement)
    if (rows.length > 0) console.table(rows.map((row) => ({ ...row })))
    console.log(`${rows.command ?? 'done'} ${rows.count ?? ''}`.trim())
    return true
  } catch (error) {
    console.error((error as Error).message)
    return false
  }
}
