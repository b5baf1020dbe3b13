import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { invitations, users } from '../../drizzle/schema.ts'
import { createToken } from '../helpers/api.ts'
import { signedUp, startAcme, tokenOf } from '../helpers/people.ts'
import { withSecondFactor } from '../helpers/second-factors.ts'
import { checkAll } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue } from './steps.ts'

t.test('nothing on the sign-in page moves, even if its script comes after five seconds', { skip }, async (t) => {
  const { open } = await startBrowser(t, {
    SSR_ENABLED: 'true',
    GITHUB_CLIENT_ID: 'id',
    GITHUB_CLIENT_SECRET: 'secret',
  })
  for (const path of ['/sign_in', '/sign_up']) {
    const page = await open({ hasty: true, viewport: { width: 390, height: 844 } })
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      await route.continue()
    })
    await page.addInitScript(`globalThis.shifts = []
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
          shifts.push(value + ' ' + sources.map(({ node }) => node?.outerHTML?.slice(0, 80)))
      }).observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(path, { waitUntil: 'commit' })
    await page.getByRole('button', { name: /GitHub/ }).waitFor()
    await page.locator('form [type=submit]').click()
    await page.getByText('This page is still loading').waitFor()
    await comesTrue(page, 'Boolean(window.isStarted)')
    await page.waitForTimeout(1_000)
    t.same(await page.evaluate('shifts'), [], path)
    t.equal(new URL(page.url()).search, '', 'and nothing was sent')
  }
})

t.test('no button breaks a word, and no page is wider than a small phone, in German', { skip }, async (t) => {
  const { app, db, clock, open } = await startBrowser(t, { TERMS_URL: 'https://example.com/terms' })
  const { owner, account, join } = await startAcme(app)
  for (let count = 0; count < 12; count++) await join('member')
  await db.update(users).set({ name: 'Wilhelmina Featherstonehaugh-Cholmondeley' })
  await owner.browser.submit('POST', '/acme/invitations', { email: 'ben@example.com', role: 'member' })
  const [invitation] = await db.select().from(invitations).where(eq(invitations.accountId, account.id))
  const token = await tokenOf(app, invitation?.id ?? 0)
  const { flash } = await owner.browser.submit('POST', '/acme/invitation_link')
  const link = new URL(String(flash?.invitation_link)).pathname
  const guest = ['/', '/sign_in', '/sign_up', '/identity/password_reset/new', `/invitations/${token}`, link]
  const sections = ['profile', 'email', 'password', 'security', 'tokens', 'sessions', 'activity', 'appearance']
  const settings = sections.map((section) => `/settings/${section}`)
  const own = ['/acme', '/acme/members', '/acme/activity', '/acme/settings', '/accounts/new', ...settings]
  const unverified = await signedUp(app)
  const protectedByCode = await withSecondFactor({ app, clock })
  await createToken(protectedByCode.browser)
  await db.update(users).set({ language: 'de' })

  const small = { viewport: { width: 320, height: 640 }, locale: 'de', hasTouch: true }
  await walk(await open(small), guest)
  await walk(await open({ ...small, as: owner.browser }), own)
  await walk(await open({ ...small, as: unverified.browser }), [`/${unverified.slug}`, '/settings/email', link])
  await walk(await open({ ...small, as: protectedByCode.browser }), ['/settings/tokens', '/settings/security', link])
  const halfway = await protectedByCode.halfway()
  await walk(await open({ ...small, as: halfway.browser }), ['/sign_in/verify'])

  async function walk(page: Page, paths: string[]) {
    for (const path of paths) {
      await page.goto(path)
      t.equal(await page.locator('html').getAttribute('lang'), 'de', path)
      t.same(await page.evaluate(brokenWords), [], path)
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} fits`)
      await checkAll(t, page, path)
    }
  }
})

/** Words of buttons that stand on more than one line. */
const brokenWords = `[...document.querySelectorAll('button, .button, summary, nav a')].flatMap((button) => {
  const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
  const broken = []
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    if (node.parentElement.closest('.visually-hidden')) continue
    for (const { index, 0: word } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
    }
  }
  return broken
})`
