import t from 'tap'
import { violations } from '../browser/axe.ts'
import { openAt, skip } from '../browser/chromium.ts'
import { fill, signUp } from '../browser/steps.ts'
import { cloneProject } from '../helpers/clone.ts'
import { createDatabase } from '../helpers/database.ts'

t.test('the example is tried with npm run dev -- --examples', { skip }, async (t) => {
  const clone = await cloneProject(t)
  const command = ['npm', 'run', 'dev', '--', '--examples']
  const { origin, until } = await clone.start('dev', { DATABASE_URL: await createDatabase(t) }, command)
  await until('/up', (text) => text.includes('Up'))
  // The clone's packages are links, from which Vite serves no fonts.
  const page = await (await openAt(t, origin))({ expects: [403] })
  page.setDefaultTimeout(60_000) // Vite compiles what is asked for the first time
  await signUp(page)

  await page.getByRole('link', { name: 'Projects' }).click()
  await page.getByText('No projects yet.').waitFor()
  await page.getByRole('link', { name: 'New project' }).click()
  await fill(page, { Name: 'Apollo', Client: 'NASA', 'Hourly rate': '1,5', Due: '2031-07-16' })
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('Hourly rate is invalid.').waitFor()
  t.same(await violations(page), [])
  await fill(page, { 'Hourly rate': '1,250.5' })
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('For NASA at €1,250.50 an hour, due Jul 16, 2031').waitFor()
  t.same(await violations(page), [])

  await page.getByRole('link', { name: 'Edit Apollo' }).click()
  t.equal(await page.getByLabel('Hourly rate').inputValue(), '1250.50')
  await fill(page, { Name: 'Artemis' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('strong').filter({ hasText: 'Artemis' }).waitFor()
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByText('Ana changed the project Artemis').waitFor()

  await page.getByRole('link', { name: 'Projects' }).click()
  await page.getByRole('button', { name: 'Delete Artemis' }).click()
  await page.getByRole('button', { name: 'Delete project' }).click()
  await page.getByRole('strong').filter({ hasText: 'Artemis' }).waitFor({ state: 'detached' })
})
