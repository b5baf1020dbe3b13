import t from 'tap'
import { accounts } from '../../drizzle/schema.ts'
import { freeSlug, slugify } from '../../features/accounts/accounts.ts'
import { sharedApp } from '../helpers/app.ts'

t.test('a name becomes a slug', async (t) => {
  const slugs = {
    'Acme Inc.': 'acme-inc',
    "Admin's account": 'admin-s-account',
    ' Ærøskøbing & Söhne ': 'aeroskobing-soehne',
    x: 'x-account',
    日本: 'account',
    '🎉': 'account',
    '': 'account',
    '--a---b--': 'a-b',
  }
  for (const [name, slug] of Object.entries(slugs)) t.equal(slugify(name), slug, name)
  t.equal(slugify(`${'a'.repeat(39)} b`), 'a'.repeat(39), 'no dash is left at the cut')
  t.equal(slugify('a'.repeat(60)).length, 40)
})

t.test('a taken or reserved slug gets a number, and still fits', async (t) => {
  const { db } = await sharedApp(t)
  const long = 'a'.repeat(40)
  await db.insert(accounts).values(['acme', 'acme-2', 'acme-4', long].map((slug) => ({ name: slug, slug })))
  await db.transaction(async (tx) => {
    t.equal(await freeSlug(tx, 'Acme'), 'acme-3')
    t.equal(await freeSlug(tx, 'Settings'), 'settings-2')
    t.equal(await freeSlug(tx, long), `${'a'.repeat(38)}-2`)
  })
})
