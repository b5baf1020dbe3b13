import t from 'tap'
import { startAcme } from '../helpers/accounts.ts'
import { skip, startBrowser } from './chromium.ts'
import { enter, signOut } from './steps.ts'

for (const ssr of ['false', 'true']) {
  t.test(`nothing is lost, with SSR_ENABLED=${ssr}`, { skip }, async (t) => {
    const { app, open } = await startBrowser(t, { SSR_ENABLED: ssr })
    const { owner } = await startAcme(app)

    t.test('a link into an account leads a guest through the sign-in to its page', async (t) => {
      const page = await open()
      await page.goto('/acme/members')
      await page.getByText('Please sign in to continue').waitFor()
      t.equal(await page.locator('.toast').count(), 0)
      await page.getByLabel('Email').fill(owner.person.email)
      await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('That email or password is incorrect').waitFor()
      await enter(page, owner.person)
      await page.waitForURL('/acme/members')

      await signOut(page)
      t.equal(await page.getByText('Please sign in to continue').count(), 0, 'who leaves is not asked to stay')
    })
  })
}
