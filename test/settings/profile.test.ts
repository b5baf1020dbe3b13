import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { Browser } from '../helpers/browser.ts'
import { sharedPerson } from '../helpers/people.ts'

const updated = { notice: 'Your profile has been updated' }
const blank = { name: ["can't be blank"] }

t.test('each page of the settings is there for users, and guests are redirected to sign-in', async (t) => {
  const { app, browser } = await sharedPerson(t)
  const names = 'profile password email sessions appearance activity security tokens'.split(' ')
  for (const name of names) t.equal((await browser.visit(`/settings/${name}`)).component, `settings/${name}`)
  for (const path of ['/accounts/new', '/dashboard', ...names.map((name) => `/settings/${name}`)]) {
    const page = await new Browser(app).visit(path)
    t.equal(page.component, 'auth/sign-in', path)
    t.same(page.flash, {})
  }
})

t.test('a new name is stored as it was typed, and without one nothing changes', async (t) => {
  const { browser } = await sharedPerson(t)
  for (const [method, body, name] of [
    ['PATCH', { name: ' Grace ' }, ' Grace '],
    ['PUT', { name: ' Ada ' }, ' Ada '],
    ['PATCH', {}, ' Ada '],
  ] as const) {
    const page = await browser.submit(method, '/settings/profile', body)
    t.equal(page.url, '/settings/profile')
    t.same(page.flash, updated)
    t.same(page.props.errors, {})
    t.equal(page.props.auth.user.name, name)
  }
})

t.test('a name that is blank or cannot be stored is refused', async (t) => {
  const { browser, person } = await sharedPerson(t)
  for (const name of [' ', '\u200b\u3164', '', null, 'a\0b']) {
    const page = await browser.submit('PATCH', '/settings/profile', { name })
    t.same(page.props.errors, name === 'a\0b' ? { name: ['is invalid'] } : blank)
    t.equal(page.props.auth.user.name, person.name)
  }
})

t.test('a form', async (t) => {
  const { browser, person } = await sharedPerson(t)
  const send = async (form: Record<string, string>) =>
    browser.follow(await browser.send('PATCH', '/settings/profile', { form, headers: browser.csrfHeader() }))
  const unrelated = await send({ other: 'field' })
  t.same(unrelated.flash, updated)
  t.equal(unrelated.props.auth.user.name, person.name)
  t.same((await send({ name: '' })).props.errors, blank)
  t.equal((await send({ name: 'Grace' })).props.auth.user.name, 'Grace')
})

t.test('precognition writes nothing', async (t) => {
  const { db, browser, person } = await sharedPerson(t)
  t.equal((await browser.precognize('PATCH', '/settings/profile', { name: ' ' }, 'name')).statusCode, 422)
  t.equal((await browser.precognize('PATCH', '/settings/profile', { name: 'Grace' }, 'name')).statusCode, 204)
  t.match(await db.select().from(users), [{ name: person.name }])
})
