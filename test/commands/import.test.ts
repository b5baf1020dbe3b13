import { readFile, writeFile } from 'node:fs/promises'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { memberships, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { runCommand, runScript } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'
import { signedIn } from '../helpers/people.ts'
import { queuedMails, typesOf } from '../helpers/records.ts'

t.test('users of another system are imported, told apart from what is refused, and sign in', async (t) => {
  const url = await createDatabase(t)
  const { app, db } = await startApp(t, { DATABASE_URL: url })
  const digest = await bcrypt('correct horse battery', 5)
  const created = '2020-05-06T07:08:09.000Z'
  const ana = { email: ' Ana@Example.com', name: 'Ana', password_digest: digest, verified: true, created_at: created }
  const lines = [
    { ...ana, language: 'de' },
    { email: 'ben@example.com', name: 'Ben' },
    ana,
    { email: 'no address', name: 'No' },
    { email: 'blank@example.com', name: ' ' },
    { email: 'md5@example.com', name: 'Md5', password_digest: '5f4dcc3b5aa765d61d8327deb882cf99' },
    { email: 'long@example.com', name: 'x'.repeat(256) },
  ].map((line) => JSON.stringify(line))
  const folder = t.testdir()
  const file = `${folder}/users.jsonl`
  await writeFile(file, `${lines.slice(0, 2).join('\n')}\n`)
  const run = (...words: string[]) => runCommand('users', { DATABASE_URL: url }, 'import', ...words)

  t.same(await run(file, '--dry-run'), { code: 0, out: '2 imported, 0 not\n', err: '' })
  t.equal(await db.$count(users), 0)
  t.same(await run(file), { code: 0, out: '2 imported, 0 not\n', err: '' })
  const given = {
    words: ['import', '-', '--rejected', `${folder}/rejected`],
    input: [...lines, '{"email":'].join('\n'),
  }
  const again = await runScript('commands/users.ts', { DATABASE_URL: url }, given)
  t.match(again, { code: 1, err: '' })
  t.same(again.out.split('\n'), [
    '1: ana@example.com: is taken',
    '2: ben@example.com: is taken',
    '3: ana@example.com: is taken',
    '4: no address: is invalid',
    '5: blank@example.com: is invalid',
    '6: md5@example.com: unknown digest',
    '7: long@example.com: too long',
    '8: : is invalid',
    '0 imported, 8 not',
    '',
  ])
  const rejected = await readFile(`${folder}/rejected`, 'utf8')
  t.equal(rejected.trim().split('\n').length, 8)
  t.notMatch(rejected + again.out, /5f4dcc|\$2/)

  const [user] = await db.select().from(users).where(eq(users.email, 'ana@example.com'))
  const at = new Date(created)
  t.match(user, { name: 'Ana', verified: true, provedEmail: null, language: 'de', createdAt: at, verifiedAt: at })
  t.equal(await db.$count(memberships), 2)
  t.same(await typesOf(db, user?.id ?? 0), ['account_created', 'imported'])
  t.same(await queuedMails(db), [])
  const { page } = await signedIn(app, { email: 'ana@example.com', password: 'correct horse battery' })
  t.equal(page.component, 'accounts/show')
  t.match(await run(), { code: 2, err: /^Usage:/ })
})
