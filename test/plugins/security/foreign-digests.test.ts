import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import t from 'tap'
import { users } from '../../../drizzle/schema.ts'
import { verifyPassword } from '../../../plugins/security/digests.ts'
import { verifierOf } from '../../../plugins/security/foreign-digests.ts'
import { sharedPerson, signedIn, userRow } from '../../helpers/people.ts'

const password = 'correct horse battery'
const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const salt = Buffer.from('sixteen bytes ok')
const key = (hash: string, rounds: number, length: number) => pbkdf2Sync(password, salt, rounds, length, hash)

const b = await bcrypt(password, 6)
const digests = {
  argon2i: await argon2(password, { algorithm: 1, memoryCost: 4096, timeCost: 3 }),
  argon2id: await argon2(password, { algorithm: 2, memoryCost: 65_536, timeCost: 4 }),
  'bcrypt 2a': b.replace(/^\$2.\$/, '$2a$'),
  'bcrypt 2b': b.replace(/^\$2.\$/, '$2b$'),
  'bcrypt 2y': b.replace(/^\$2.\$/, '$2y$'),
  scrypt: `$scrypt$ln=14,r=8,p=1$${bare(salt)}$${bare(scryptSync(password, salt, 32, { N: 2 ** 14 }))}`,
  'PBKDF2 in PHC form': `$pbkdf2-sha256$i=10000,l=32$${bare(salt)}$${bare(key('sha256', 10_000, 32))}`,
  'PBKDF2 of passlib': `$pbkdf2-sha512$25000$${bare(salt)}$${bare(key('sha512', 25_000, 64)).replaceAll('+', '.')}`,
}

for (const [kind, digest] of Object.entries(digests)) {
  t.test(`${kind} is verified, and renewed at the next right sign-in`, async (t) => {
    t.equal(await verifyPassword('a wrong password', digest), 'wrong')
    t.equal(await verifyPassword(password, digest), 'outdated')
    const { app, db, person, user } = await sharedPerson(t)
    await db.update(users).set({ passwordDigest: digest })
    t.equal((await signedIn(app, person)).page.component, 'accounts/show')
    t.match((await userRow(db, user.id)).passwordDigest, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
}

t.test('a digest that asks for a gigabyte or a minute is unknown', async (t) => {
  const { argon2id, scrypt } = digests
  const greedy = [
    argon2id.replace('m=65536', 'm=1048576'),
    argon2id.replace('t=4', 't=999'),
    b.replace(/^(\$2.\$)06/, '$131'),
    scrypt.replace('ln=14', 'ln=20'),
    scrypt.replace('p=1', 'p=999'),
    digests['PBKDF2 in PHC form'].replace('i=10000', 'i=99999999'),
  ]
  for (const digest of greedy) t.equal(verifierOf(digest), undefined, digest)
})
