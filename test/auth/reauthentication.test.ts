import { sql } from 'drizzle-orm'
import t from 'tap'
import { rateLimits } from '../../drizzle/schema.ts'
import { password, sharedPerson } from '../helpers/people.ts'

t.test('the current password as a challenge', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const counted = async () => {
    const [row] = await db.select().from(rateLimits).where(sql`key like 'challenge:%'`)
    return row?.hits ?? 0
  }
  const change = (password_challenge: string | null) =>
    browser.submit('PATCH', '/settings/email', { email: 'new@example.com', password_challenge })

  await t.test('does not count if nothing was guessed', async (t) => {
    for (const nothing of ['', null]) {
      t.same((await change(nothing)).props.errors, { password_challenge: ['is invalid'] })
    }
    await browser.precognize('PATCH', '/settings/email', { email: 'x', password_challenge: 'half typ' }, 'email')
    t.equal(await counted(), 0)
  })
  await t.test('counts a wrong one, even in a validate-only request', async (t) => {
    await change('a wrong password')
    t.equal(await counted(), 1)
    const body = { email: 'new@example.com', password_challenge: 'a wrong password' }
    const response = await browser.precognize('PATCH', '/settings/email', body, 'password_challenge')
    t.equal(response.statusCode, 422)
    t.equal(await counted(), 2)
  })
  await t.test('does not count a right one', async (t) => {
    t.same((await change(password)).flash, { notice: 'Your email has been changed' })
    t.equal(await counted(), 2)
  })
})

t.test('of 30 concurrent challenges from as many clients, those that are left of 100 are verified', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const body = { email: 'new@example.com', password_challenge: 'a wrong password' }
  await browser.request('PATCH', '/settings/email', { body })
  await db.update(rateLimits).set({ hits: 80 }).where(sql`key like 'challenge:%'`)
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, client) =>
      browser.request('PATCH', '/settings/email', { body, headers: { 'x-forwarded-for': `10.4.0.${client}` } }),
    ),
  )
  t.equal(responses.filter(({ headers }) => headers['retry-after'] === undefined).length, 20)
})
