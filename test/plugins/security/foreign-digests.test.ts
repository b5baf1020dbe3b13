import t from 'tap'
import { verifyPassword } from '../../../plugins/security/digests.ts'
import { verifierOf } from '../../../plugins/security/foreign-digests.ts'

const password = 'correct horse battery'

/** Made by these libraries, and written as docs/coming.md says where that is not their own form. */
const digests = {
  "argon2i of PHP 8.2's password_hash":
    '$argon2i$v=19$m=8192,t=3,p=1$WDRQY3dNWkJFalJHbTZ6QQ$ydVJcNkSq9b+4b4M5R9gA4vpua2aA6xi80sv8GDnjj0',
  'argon2id of argon2-cffi 25.1':
    '$argon2id$v=19$m=8192,t=2,p=4$fo5f7oS92+g88sWVpn8SwA$4/bAp7ohFMbA8Bn8+x8fIDmrLaVpj6Ynv3g83bUDwP8',
  'argon2id of Django 5.2':
    '$argon2id$v=19$m=102400,t=2,p=8$c3V4RUQwMGxCUmhhbFdjMFEwTlV4VQ$NGMsC765Tn3MpXEWWxtWB1Uxa7x4jDPqh3PgiNDD+iA',
  "bcrypt of Ruby's bcrypt 3.1": '$2a$06$7JrX/qAYT4TvJtaYWa4bnOUBC3DDA9m941cm4gKny5pLKbJxkDVq.',
  'bcrypt of bcryptjs 3.0': '$2b$06$TgIOAOloxGnYE0YObZxs9OSNZ2iEiNeouZUIAlknfxP9NSIeRrS92',
  "bcrypt of PHP 8.2's password_hash": '$2y$06$RFUXtrqvv.2h8e2mV5Jz5uCi1fLEIiJKh710XRsC2M3wDIc4pdVle',
  'scrypt of passlib 1.7': '$scrypt$ln=12,r=8,p=1$Rai11rqXMmZsjVGqdU4JQQ$EbzlaT+6ZE76dcchgvHKIqhj09+9haDw7c+cuj7X71s',
  'scrypt of better-auth 1.7':
    '$scrypt$ln=14,r=16,p=1$MTVmMjA4YTA0M2UxZTAwMzcyZWM4MzFlNjc3OGQxM2M$0REb1UUbD7BpnfcsQQnrTWkSlfHYSeLAY268uBVowUm9Q1pee01pmteYpIZHXNzEuRGPr2ISUei9D/JKnUOBJw',
  'scrypt of Django 5.2':
    '$scrypt$ln=14,r=8,p=5$bzVBazA3UDdVMm4yblYyY2xiRGxxeA$ZlWdiUvsXxzcM6d1wYOEjt2FRNcbnL+gNHH02WrvvWQbMhczq5P900NUXdEWGpi26AnilzcVadDJ7GQFvvnS9A',
  'PBKDF2 with SHA-1 of passlib 1.7': '$pbkdf2$10000$IoQwZmztXQsB4FyLcS7FeA$ifYv8t3eg2SvYa21ATO.DkAc95k',
  'PBKDF2 with SHA-256 of Django 5.2':
    '$pbkdf2-sha256$i=10000$TjZPZTlCeTFtTFkyd1hqMnM2ejE0Ug$zKRZVxzvcd+Rr1EfGbanXxlc1WARb5DI0eksaw9FWak',
  'PBKDF2 with SHA-512 of passlib 1.7':
    '$pbkdf2-sha512$10000$jRFCqNVa6/2f8z7HGANAaA$/vven57um5jAvbVVHdv8x.kIiLzKZktPMlkqsDBuWdZXXYH0BmYwBYRnt4Y7b.gfxMfadlo5GjVt6LTLCAT7SQ',
}

for (const [kind, digest] of Object.entries(digests)) {
  t.test(`${kind} is verified, and outdated, so that the next right sign-in renews it`, async (t) => {
    t.equal(await verifyPassword('a wrong password', digest), 'wrong')
    t.equal(await verifyPassword(password, digest), 'outdated')
  })
}

t.test('a digest that asks for a gigabyte or a minute is unknown', async (t) => {
  const argon2 = digests['argon2id of argon2-cffi 25.1']
  const scrypt = digests['scrypt of passlib 1.7']
  const greedy = [
    argon2.replace('m=8192', 'm=1048576'),
    argon2.replace('t=2', 't=999'),
    digests['bcrypt of bcryptjs 3.0'].replace('$06$', '$31$'),
    scrypt.replace('ln=12', 'ln=20'),
    scrypt.replace('p=1', 'p=999'),
    digests['PBKDF2 with SHA-256 of Django 5.2'].replace('i=10000', 'i=99999999'),
  ]
  for (const digest of greedy) t.equal(verifierOf(digest), undefined, digest)
})
