import t from 'tap'
import { signedUp } from '../helpers/people.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip } from './chromium.ts'

t.test('somebody who is alone names their team, and invites the others at once', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const { browser, slug } = await signedUp(app)
  const page = await open({ as: browser })
  await page.goto(`/${slug}`)
  await page.getByLabel('Name of the team').fill('Apex')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('dialog', { name: 'Invite people' }).getByLabel('Emails').waitFor()
  t.equal(new URL(page.url()).pathname, '/apex/members')
})

t.test('what is dismissed goes at once, and the focus moves to the heading', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const { browser, slug } = await signedUp(app)
  const page = await open({ as: browser })
  await page.goto(`/${slug}`)
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByRole('button', { name: 'Dismiss the first steps' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.locator('h1:focus').waitFor()
  await page.getByRole('button', { name: 'No, thanks' }).click()
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  await page.locator('h1:focus').waitFor()
  await checkAll(t, page, 'an empty room')
})
