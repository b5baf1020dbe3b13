import type { Page } from 'playwright-core'
import t from 'tap'
import { activities, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { environment } from '../helpers/everything.ts'
import { invite, signedUp, startAcme, verify } from '../helpers/people.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'
import { checkAll } from './axe.ts'
import { sharedBrowser, skip, startBrowser } from './chromium.ts'
import { comesTrue, watchShifts } from './steps.ts'

const phone = { width: 390, height: 844 }
const viewports = [phone, { width: 1440, height: 900 }]
const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamte'.repeat(4).slice(0, 255)

t.test(
  'nothing on the sign-in page moves, the way used last is first, even if its script comes three seconds late',
  { skip },
  async (t) => {
    const { app, origin, open } = await startBrowser(t, {
      SSR_ENABLED: 'true',
      ...environment,
    })
    const visit = async (path: string, lastMethod?: string) => {
      const page = await open({ hasty: true, viewport: phone, expects: ['offline'] })
      await page.route(/\.woff2$/, (route) => route.abort()) // so many at once would come after the first paint
      if (lastMethod) await page.context().addCookies([{ name: 'last_method', value: lastMethod, url: origin }])
      await watchShifts(page)
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator('form [type=submit]').first().waitFor()
      if (lastMethod) t.ok(await page.getByRole('group', { name: 'Last used' }).isVisible(), `${lastMethod} is marked`)
      await comesTrue(page, 'Boolean(window.isStarted)')
      await page.waitForTimeout(1_000)
      t.same(await page.evaluate('shifts'), [], `${path} after ${lastMethod}`)
      if (!lastMethod) return
      t.ok(await page.evaluate('document.documentElement.scrollHeight <= innerHeight'), 'nothing is below')
      await comesTrue(page, 'document.activeElement === document.querySelector("form :is(a, button, input)")')
    }
    // One that there are several of is told by their ids.
    const methods = [...[...app.firstFactors].filter(({ provider }) => !provider), ...app.providers].map(({ id }) => id)
    await Promise.all([visit('/sign_up'), visit('/sign_in'), ...methods.map((id) => visit('/sign_in', id))])
  },
)

t.test('what is pressed before the script is there is kept and done', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const { person, slug } = await signedUp(app)
  const page = await open({ hasty: true, viewport: phone })
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/assets/main-*.js', async (route) => {
    await arrival
    await route.continue()
  })
  await page.goto('/sign_in', { waitUntil: 'commit' })
  await page.locator('[name=email]').fill(person.email)
  await page.locator('[name=password]').fill(person.password)
  for (const _ of ['once', 'twice']) await page.locator('form [type=submit]').first().click()
  await page.getByText('This page is still loading').waitFor()
  t.equal(new URL(page.url()).search, '', 'nothing was sent without the token')
  arrive()
  await page.waitForURL(`/${slug}`)
  t.equal(await page.getByText('This page is still loading').count(), 0)
})

t.test('nothing on a page of a person or workspace moves, whatever comes later', { skip }, async (t) => {
  const { app, db, open } = await sharedBrowser(t, { SSR_ENABLED: 'true' })
  const { owner, account } = await startAcme(app)
  const others = await startAcme(app) // since who is present is shown as they come and go
  const member = await others.join('member')
  await fillLists(db, owner.user.id, account.id)
  await verify(db, owner.user.id)
  const invitation = await invite(app, owner, '/acme', 'ben@example.com')
  const sections = ['email', 'security', 'sessions', 'activity', 'appearance']
  const paths = [`/${owner.slug}`, '/acme', '/acme/members', '/acme/activity', '/acme/settings', invitation.link]
  const own = [...paths, ...sections.map((section) => `/settings/${section}`)]
  const visits = [...own.map((path) => [owner, path] as const), [member, others.path] as const]
  const elsewhere = { locale: 'en-GB', timezoneId: 'Asia/Kolkata' } // than the server, which knows neither
  for (const viewport of viewports) {
    await Promise.all(
      visits.map(async ([someone, path]) => {
        const page = await open({ hasty: true, viewport, ...elsewhere, as: someone.browser, expects: ['offline'] })
        await page.route(/\.woff2$/, (route) => route.abort()) // so many at once would come after the first paint
        await watchShifts(page)
        await page.goto(path)
        await comesTrue(page, 'Boolean(window.isStarted) && !document.querySelector(".skeleton, [aria-busy=true]")')
        await page.waitForTimeout(1_000)
        t.same(await page.evaluate('shifts'), [], `${path} at ${viewport.width}`)
        await page.close()
      }),
    )
  }
})

t.test('no button breaks a word, and no page is wider than a small phone, in another language', { skip }, async (t) => {
  const { app, db, clock, open } = await startBrowser(t, { TERMS_URL: 'https://example.com/terms' })
  const { owner, account, join } = await startAcme(app)
  await fillLists(db, owner.user.id, account.id)
  for (let count = 0; count < 12; count++) await join('member')
  await db.update(users).set({ name: 'Wilhelmina Featherstonehaugh-Cholmondeley' })
  await invite(app, owner, '/acme', 'ben@example.com')
  const sections = ['profile', 'email', 'password', 'security', 'sessions', 'activity', 'appearance']
  const settings = sections.map((section) => `/settings/${section}`)
  const own = ['/acme', '/acme/members', '/acme/activity', '/acme/settings', '/accounts/new', ...settings]
  const unverified = await signedUp(app)
  const protectedByCode = await withSecondFactor({ app, clock })
  const [language = ''] = [...app.languages.keys()].toReversed()
  await db.update(users).set({ language })

  const small = { viewport: { width: 320, height: 640 }, locale: language, hasTouch: true }
  await walk(await open({ ...small, as: owner.browser }), own)
  await walk(await open({ ...small, as: unverified.browser }), [`/${unverified.slug}`, '/settings/email'])
  await walk(await open({ ...small, as: protectedByCode.browser }), ['/settings/security'])
  const halfway = await protectedByCode.halfway()
  await walk(await open({ ...small, as: halfway.browser }), ['/sign_in/verify'])

  async function walk(page: Page, paths: string[]) {
    for (const path of paths) {
      await page.goto(path)
      t.equal(await page.locator('html').getAttribute('lang'), language, path)
      t.same(await page.evaluate(brokenWords), [], path)
      t.same(await page.evaluate(leadingSeparators), [], path)
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} fits`)
      t.ok((await leftEdges(page, ['.mark', 'h1', '.card'])).length <= 1, `${path} has one left edge on a phone`)
      await page.setViewportSize({ width: 640, height: 900 })
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${path} fits, its text doubled`)
      await page.evaluate("document.documentElement.style.fontSize = ''")
      await page.setViewportSize({ width: 1440, height: 900 })
      t.ok((await leftEdges(page, ['.mark', '.tabs a', 'h1', '.card'])).length <= 1, `${path} has one left edge`)
      await checkAll(t, page, path)
      await page.setViewportSize(small.viewport)
    }
  }
})

t.test('guests read every page on a small phone, with text twice as large, in each language', { skip }, async (t) => {
  const { app, open } = await sharedBrowser(t, { ...environment, TERMS_URL: 'https://example.com/terms' })
  const { owner } = await startAcme(app)
  const { link } = await invite(app, owner, '/acme', 'bianca-the-owner-of-a-long-name@example.com')
  const locales = [...app.languages.keys()]
  for (const locale of locales) {
    const page = await open({ viewport: { width: 320, height: 640 }, locale, hasTouch: true, expects: [404] })
    const paths = new Set(['/', link, `${link}-void`, '/a', '/identity/password_reset/edit?sid=stale'])
    for (const path of paths) {
      await page.goto(path)
      t.same(await page.evaluate(brokenWords), [], `${path} in ${locale}`)
      t.same(await page.evaluate(leadingSeparators), [], `${path} in ${locale}`)
      if (locale === locales.at(-1)) await checkAll(t, page, path)
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      t.same(await page.evaluate(tooWide), [], `${path} in ${locale}, its text doubled`)
      for (const found of await page.evaluate<string[]>(linkedPaths)) paths.add(found)
    }
    t.ok(paths.size > 7, 'pages of options are among them')
  }
})

/** Where header, heading and the first card of a signed-in page begin. */
const leftEdges = (page: Page, parts: string[]) =>
  page.evaluate<number[]>(`[...new Set(
    ${JSON.stringify(parts)}.flatMap((part) => {
      const first = document.querySelector('.shell :is(' + part + ')')
      return first ? Math.round(first.getBoundingClientRect().left) : []
    }))]`)

/** More than a page of activities and sessions, of names and browsers as long as they can be. */
async function fillLists(db: Database, userId: number, accountId: number) {
  const details = { name: long, account_name: long, from: 'member', to: 'admin' }
  const activity = { type: 'role_changed', actorId: 0, actorName: long, userId, accountId, details }
  const at = (n: number) => new Date(Date.now() - n * 7_200_000)
  await db.insert(activities).values(Array.from({ length: 70 }, (_, n) => ({ ...activity, createdAt: at(n) })))
  const session = { userId, userAgent: 'x'.repeat(300), ipAddress: '2001:db8:85a3:1234:5678:8a2e:370:7334' }
  await db.insert(sessions).values(Array.from({ length: 60 }, (_, n) => ({ ...session, token: `token-${n}` })))
}

/** Facts that begin a line, and have their separator in it. */
const leadingSeparators = `[...document.querySelectorAll('.facts')].flatMap((facts) => {
  if (!facts.checkVisibility()) return [] // in a tab that is not open
  const { left } = facts.getBoundingClientRect()
  const lines = Map.groupBy([...facts.children], (fact) => Math.round(fact.getBoundingClientRect().bottom))
  return [...lines.values()].flatMap(([first]) => (first.getBoundingClientRect().left < left ? [] : first.innerText))
})`

/** Words of headings and buttons that stand on more than one line. */
const brokenWords = `[...document.querySelectorAll('h1, h2, button, .button, summary, nav a')].flatMap((button) => {
  const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
  const broken = []
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    if (node.parentElement.closest('.visually-hidden')) continue
    for (const { index, 0: word } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange()
      range.setStart(node, index + 1) // its first letter has the hyphen, if it follows one
      range.setEnd(node, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
    }
  }
  return broken
})`

/** What ends outside of the page, unless it is cut off there. */
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 1 && (left < -1 || right > innerWidth + 1) && element.checkVisibility()
  })
  .map((element) => element.outerHTML.slice(0, 120))`

/** Other pages of ours that links on this one lead to. */
const linkedPaths = `[...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href'))`
