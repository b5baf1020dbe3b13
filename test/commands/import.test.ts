import { readFile, writeFile } from 'node:fs/promises'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { describeProgress } from '../../commands/import.ts'
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
  const [language = ''] = [...app.languages.keys()].toReversed()
  const lines = [
    { ...ana, language },
    { email: 'ben@example.com', name: 'Ben' },
    ana,
    { email: 'no address', name: 'No' },
    { email: 'blank@example.com', name: ' ' },
    { email: 'md5@example.com', name: 'Md5', password_digest: '5f4dcc3b5aa765d61d8327deb882cf99' },
    { email: 'long@example.com', name: 'x'.repeat(256) },
    { email: 'latin1@example.com', name: 'J\ufffdrg' },
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
    input: `\ufeff${[...lines, '{"email":', `{"name":"${'x'.repeat(1_000_000)}"}`].join('\r\n')}`,
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
    '8: latin1@example.com: is invalid',
    '9: : is invalid',
    '10: : too long',
    '0 imported, 10 not',
    '',
  ])
  const rejected = await readFile(`${folder}/rejected`, 'utf8')
  t.same(JSON.parse(rejected.split('\n')[5] ?? ''), { line: 6, email: 'md5@example.com', reason: 'unknown digest' })
  t.equal(rejected.trim().split('\n').length, 10)
  t.match(await run(file, '--rejected', `${folder}/rejected`), { code: 1, out: '', err: /EEXIST/ }, 'nothing is lost')
  t.notMatch(rejected + again.out, /5f4dcc|\$2/)

  const [user] = await db.select().from(users).where(eq(users.email, 'ana@example.com'))
  const at = new Date(created)
  t.match(user, { name: 'Ana', verified: true, provedEmail: null, language, createdAt: at, verifiedAt: at })
  t.equal(await db.$count(memberships), 2)
  t.same(await typesOf(db, user?.id ?? 0), ['account_created', 'imported'])
  t.same(await queuedMails(db), [])
  const { page } = await signedIn(app, { email: 'ana@example.com', password: 'correct horse battery' })
  t.equal(page.component, 'accounts/show')
  t.match(await run(), { code: 2, err: /^Usage:/ })
})

t.test('of two lines with one address the first counts, in a dry run, too', async (t) => {
  const url = await createDatabase(t)
  const { db } = await startApp(t, { DATABASE_URL: url })
  const names = ['First', ...Array.from({ length: 20 }, (_, n) => `Ben ${n}`), 'Last']
  const lines = names.map((name) => {
    const email = name.startsWith('Ben') ? `${name.replace(' ', '')}@example.com` : 'ana@example.com'
    return JSON.stringify({ email, name })
  })
  const all = [lines[0], '{"email":"ANA@example.com","name":"Second"}', ...lines.slice(1)]
  const file = `${t.testdir()}/users.jsonl`
  await writeFile(file, all.join('\n'))
  const run = (...words: string[]) => runCommand('users', { DATABASE_URL: url }, 'import', file, ...words)
  const expected = { code: 1, out: '2: ana@example.com: is taken\n23: ana@example.com: is taken\n21 imported, 2 not\n' }
  t.match(await run('--dry-run'), expected)
  t.equal(await db.$count(users), 0)
  t.match(await run(), expected)
  t.equal(await db.$count(users, eq(users.name, 'First')), 1)
})

t.test('the progress says how fast it is, and what is left of a file', async (t) => {
  t.equal(describeProgress(300, 2_000), '300 lines, 150 a second')
  t.equal(describeProgress(300, 2_000, 0.02), '300 lines, 150 a second, 1:38 left')
})
