import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { sharedPerson } from '../helpers/people.ts'

t.test('a new name is stored as it was typed', async (t) => {
  const { browser } = await sharedPerson(t)
  for (const method of ['PATCH', 'PUT'] as const) {
    const page = await browser.submit(method, '/settings/profile', { name: ` ${method} ` })
    t.equal(page.url, '/settings/profile')
    t.same(page.flash, { notice: 'Your profile has been updated' })
    t.equal(page.props.auth.user.name, ` ${method} `)
  }
})

t.test('a blank name is refused', async (t) => {
  const { browser, person } = await sharedPerson(t)
  for (const name of [' ', '\u200b\u3164', '', null]) {
    const page = await browser.submit('PATCH', '/settings/profile', { name })
    t.same(page.props.errors, { name: ["can't be blank"] })
    t.equal(page.props.auth.user.name, person.name)
  }
  const strange = await browser.submit('PATCH', '/settings/profile', { name: 'a\0b' })
  t.same(strange.props.errors, { name: ['is invalid'] })
})

t.test('without a name nothing changes', async (t) => {
  const { browser, person } = await sharedPerson(t)
  const page = await browser.submit('PATCH', '/settings/profile', {})
  t.same(page.flash, { notice: 'Your profile has been updated' })
  t.same(page.props.errors, {})
  t.equal(page.props.auth.user.name, person.name)
})

t.test('a form', async (t) => {
  const { browser, person } = await sharedPerson(t)
  const send = async (form: Record<string, string>) =>
    browser.follow(await browser.send('PATCH', '/settings/profile', { form, headers: browser.csrfHeader() }))
  const unrelated = await send({ other: 'field' })
  t.same(unrelated.flash, { notice: 'Your profile has been updated' })
  t.equal(unrelated.props.auth.user.name, person.name)
  t.same((await send({ name: '' })).props.errors, { name: ["can't be blank"] })
  t.equal((await send({ name: 'Grace' })).props.auth.user.name, 'Grace')
})

t.test('precognition writes nothing', async (t) => {
  const { db, browser, person } = await sharedPerson(t)
  t.equal((await browser.precognize('PATCH', '/settings/profile', { name: ' ' }, 'name')).statusCode, 422)
  t.equal((await browser.precognize('PATCH', '/settings/profile', { name: 'Grace' }, 'name')).statusCode, 204)
  t.match(await db.select().from(users), [{ name: person.name }])
})
