import t from 'tap'
import { rendering, sharedApp } from '../helpers/app.ts'
import { sharedPerson, startAcme } from '../helpers/people.ts'

t.test('each page of the settings is there for users', async (t) => {
  const { browser } = await sharedPerson(t)
  for (const name of 'profile password email sessions appearance activity security'.split(' '))
    t.equal((await browser.visit(`/settings/${name}`)).component, `settings/${name}`)
})

t.test('people who are signed in find help below every page', async (t) => {
  const { app } = await sharedApp(t, { ...rendering, SUPPORT_EMAIL: 'help@example.com' })
  const { owner, path } = await startAcme(app)
  for (const address of [path, `${path}/members`, '/accounts/new', '/settings/profile']) {
    const { html } = await owner.browser.document(address)
    t.match(/<footer.*<\/footer>/s.exec(html)?.[0], '<a href="mailto:help@example.com">Support</a>', address)
  }
})

const saved = { notice: 'Your profile has been updated' }

t.test('a new name is stored as it was typed, and neither a check nor a form without one changes it', async (t) => {
  const { browser, person } = await sharedPerson(t)
  t.equal((await browser.precognize('PATCH', '/settings/profile', { name: 'Grace' }, 'name')).statusCode, 204)
  for (const [method, body, name] of [
    ['PATCH', {}, person.name],
    ['PATCH', { name: ' Grace ' }, ' Grace '],
    ['PUT', { name: ' Ada ' }, ' Ada '],
  ] as const) {
    const page = await browser.submit(method, '/settings/profile', body)
    t.equal(page.url, '/settings/profile')
    t.same(page.flash, saved)
    t.same(page.props.errors, {})
    t.equal(page.props.auth.user.name, name)
  }
  const sendForm = async (form: Record<string, string>) =>
    browser.follow(await browser.send('PATCH', '/settings/profile', { form, headers: browser.csrfHeader() }))
  t.match(await sendForm({ unrelated: 'x' }), { flash: saved, props: { auth: { user: { name: ' Ada ' } } } })
  t.same((await sendForm({ name: '' })).props.errors, { name: ["can't be blank"] })
  t.equal((await sendForm({ name: 'Bea' })).props.auth.user.name, 'Bea')
})

t.test('a name that is blank or cannot be stored is refused', async (t) => {
  const { browser, person } = await sharedPerson(t)
  for (const name of [' ', '\u200b\u3164', '', null, 'a\0b']) {
    const page = await browser.submit('PATCH', '/settings/profile', { name })
    t.same(page.props.errors, { name: [name === 'a\0b' ? 'is invalid' : "can't be blank"] })
    t.equal(page.props.auth.user.name, person.name)
    t.equal((await browser.precognize('PATCH', '/settings/profile', { name }, 'name')).statusCode, 422)
  }
})
