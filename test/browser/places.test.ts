import { eq } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import t from 'tap'
import { colours } from '../../brand/brand.ts'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { startAcme } from '../helpers/accounts.ts'
import { signedUp } from '../helpers/people.ts'
import { violationsIn } from './axe.ts'
import { skip, startBrowser } from './chromium.ts'
import { comesTrue } from './steps.ts'

t.test('places', { skip }, async (t) => {
  const { app, db, open } = await startBrowser(t, { SSR_ENABLED: 'true' })
  const { owner, join } = await startAcme(app)
  const member = await join('member')
  await db.update(users).set({ name: '👩🏽‍🚀 é' }).where(eq(users.id, member.user.id))

  await t.test('a new account shows the first steps until they are done', async (t) => {
    const dana = await signedUp(app, { name: 'Dana' })
    const page = await open({ as: dana.browser })
    const loads: (string | undefined)[] = []
    page.on('request', (request) => loads.push(request.headers()['x-inertia-partial-data']))
    await page.goto(`/${dana.slug}`)
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('link', { name: 'Invite someone' }).waitFor()
    t.equal(await steps.getByRole('link').count(), 3)
    await page.getByText('Personal workspace').waitFor()
    await page.getByRole('definition').filter({ hasText: /^1$/ }).waitFor()
    t.same(loads.filter(Boolean), ['members_count,first_steps,latest_activities,offer_passkey'], 'in one request')

    await db.update(users).set({ verified: true }).where(eq(users.id, dana.user.id))
    await db.update(accounts).set({ name: 'Dana & Co' }).where(eq(accounts.slug, dana.slug))
    await page.reload()
    await steps.getByText('Done: Verify your email').waitFor()
    t.equal(await steps.getByRole('link').count(), 1)
    await dana.browser.submit('POST', `/${dana.slug}/invitations`, { email: 'cleo@example.com', role: 'member' })
    await page.getByRole('definition').filter({ hasText: /^1$/ }).waitFor()
    await steps.waitFor({ state: 'detached' })
  })

  await t.test('what could not be loaded later says so, and can be tried again', async (t) => {
    const page = await open({ as: owner.browser, expects: [500] })
    await page.route('/acme', (route) =>
      route.request().headers()['x-inertia'] ? route.fulfill({ status: 500 }) : route.fallback(),
    )
    await page.goto('/acme')
    await page.getByText('Could not be counted').waitFor()
    t.equal(await page.locator('.skeleton').count(), 0)
    await page.unroute('/acme')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('created the workspace').waitFor()
    await page.getByText('Could not be counted').waitFor({ state: 'detached' })
  })

  await t.test('an account shows who else is present', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme')
    const other = await open({ as: member.browser })
    await other.goto('/acme/members')
    const here = page.getByRole('region', { name: 'Here now' })
    await here.getByText('👩🏽‍🚀 é').waitFor()
    t.equal(await here.locator('.avatar').innerText(), '👩🏽‍🚀', 'whole, and alone, since two would not fit')
    await other.close()
    await here.getByText('Nobody else at the moment.').waitFor()
  })

  await t.test('managers see what happened last, as it happens, and members do not', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme')
    const latest = page.getByRole('region', { name: 'Latest activity' })
    await latest.getByText('created the workspace').waitFor()
    const others = await open({ as: member.browser })
    await others.goto('/acme')
    await others.getByRole('definition').filter({ hasText: /^2$/ }).waitFor()
    t.equal(await others.getByRole('region', { name: 'Latest activity' }).count(), 0)
    await owner.browser.submit('POST', '/acme/invitations', { email: 'eve@example.com', role: 'admin' })
    await latest.getByText('invited eve@example.com as an admin').waitFor()
    t.equal(await latest.getByRole('listitem').first().getByText('eve@example.com').count(), 1)
    await latest.getByRole('link', { name: 'All activity' }).click()
    await page.waitForURL('/acme/activity')
  })

  await t.test('nothing moves while a page loads', async (t) => {
    const page = await open({ as: owner.browser, viewport: { width: 360, height: 740 } })
    await page.goto('/settings/email') // as after the sign-in page, the typeface is in the browser's cache
    await page.waitForLoadState('networkidle')
    await page.addInitScript(noteShifts)
    for (const path of ['/acme', '/settings/profile']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      if (path === '/acme') await page.getByText('created the workspace').waitFor()
      t.same(await page.evaluate('moved'), [], path)
    }
    const guest = await open({ viewport: { width: 360, height: 740 } })
    await guest.goto('/sign_in') // for the typeface
    await guest.waitForLoadState('networkidle')
    await guest.addInitScript(noteShifts)
    for (const path of ['/', '/sign_in', '/sign_up']) {
      await guest.goto(path)
      await guest.waitForLoadState('networkidle')
      t.same(await guest.evaluate('moved'), [], path)
    }
    await guest.evaluate("document.querySelector('.auth-door').remove()") // as if the rest were still on its way
    const opacity = await guest.evaluate("getComputedStyle(document.querySelector('main')).opacity")
    t.equal(opacity, '0', 'half a form, which would jump, does not show')
  })

  await t.test('letters beyond Western Europe have the typeface, and cost others nothing', async (t) => {
    const page = await open()
    await page.goto('/sign_in')
    await page.waitForLoadState('networkidle')
    const unneeded = { 'Typeface Extended': 'unloaded', 'Typeface Arabic': 'unloaded' }
    t.same(await page.evaluate(typefaces), { Typeface: 'loaded', ...unneeded })
    await page.evaluate("document.querySelector('h1').textContent = 'Łódź'")
    t.match(await page.evaluate(typefaces), { 'Typeface Extended': 'loaded', 'Typeface Arabic': 'unloaded' })
    await page.context().addCookies([{ name: 'language', value: 'ar', url: page.url() }])
    await page.reload()
    await page.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor()
    await page.waitForLoadState('networkidle')
    t.match(await page.evaluate(typefaces), { 'Typeface Arabic': 'loaded' })
  })

  await t.test('settings keep the account visible, on a phone in one row', async (t) => {
    const page = await open({ as: owner.browser, viewport: { width: 360, height: 740 } })
    await page.goto('/acme/members')
    await page.getByRole('button', { name: /^Menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.waitForURL('/settings/profile')
    await page.getByRole('button', { name: 'Workspace: Acme' }).waitFor()
    const nav = page.getByRole('navigation', { name: 'Settings' })
    for (const path of ['/settings/appearance', '/settings/security']) {
      await page.goto(path)
      await comesTrue(page, isInSight(path))
    }
    t.notOk(await page.evaluate(isInSight('/settings/profile')), 'the row is longer than the phone is wide')
    await page.goto('/settings/profile')
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.settings-nav a')]
        .map((link) => Math.round(link.getBoundingClientRect().bottom))`,
    )
    t.equal(new Set(tops).size, 1)
    t.ok(await nav.getByRole('link', { name: 'Appearance' }).count())
    const save = await page.getByRole('button', { name: 'Save' }).boundingBox()
    t.ok(save && save.width < 120, `Save is ${save?.width} wide`)
    await page.getByRole('link', { name: 'Back to Acme' }).click()
    await page.waitForURL('/acme')
  })

  await t.test('many accounts can be searched, in natural order', async (t) => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      name: `Client ${index + 1}`,
      slug: `client-${index + 1}`,
    }))
    const rows = await db.insert(accounts).values(many).returning()
    await db
      .insert(memberships)
      .values(rows.map(({ id }) => ({ accountId: id, userId: owner.user.id, role: 'member' as const })))
    const page = await open({ as: owner.browser })
    await page.goto('/acme')
    await page.getByRole('button', { name: 'Workspace: Acme' }).click()
    await page.getByRole('menuitem', { name: /Personal$/ }).waitFor()
    const items = page.getByRole('menuitem')
    const names = async () => (await items.allInnerTexts()).map((text) => text.split('\n').at(-1))
    await items.first().waitFor()
    t.same(
      (await names()).filter((name) => /^Client (1|2|10)$/.test(name ?? '')),
      ['Client 1', 'Client 2', 'Client 10'],
    )
    await page.getByRole('searchbox', { name: 'Search your workspaces' }).fill('client 1')
    await items.filter({ hasText: 'Client 2' }).waitFor({ state: 'detached' })
    t.same(await names(), ['Client 1', 'Client 10', 'Client 11', 'Client 12', 'New workspace'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('/client-1')
  })

  await t.test('the focus moves to the heading after the skip link and on a new page', async () => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    await page.locator('h1:focus').waitFor()
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Settings' }).click()
    await page.locator('h1:focus', { hasText: 'Settings' }).waitFor()
    const guest = await open()
    await guest.goto('/sign_in')
    await guest.locator('input[name=email]:focus').waitFor()
  })

  await t.test(
    'buttons of rows are big enough for a finger, and forced colors mark the current tab alone',
    async (t) => {
      const page = await open({ as: owner.browser, hasTouch: true, isMobile: true })
      await page.goto('/acme/members')
      const { height = 0 } =
        (await page
          .getByRole('button', { name: /^Remove/ })
          .first()
          .boundingBox()) ?? {}
      t.ok(height >= 44, `${height} pixels`)
      await page.emulateMedia({ forcedColors: 'active' })
      const colors = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.tabs a')].map((tab) => getComputedStyle(tab).borderBottomColor)`,
      )
      t.equal(new Set(colors).size, 2)
      t.equal(colors.filter((color) => color === colors[1]).length, 1)
    },
  )

  await t.test('menus and dialogs are accessible when open', async (t) => {
    const page = await open({ as: owner.browser })
    const check = async (name: string) => t.same(await violationsIn(page), [], name)
    await page.goto('/acme/members')
    await check('members')
    for (const name of [/^Workspace:/, /^Menu of/, /^Role of 👩🏽‍🚀 é/]) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('menu').waitFor()
      await check(`menu ${name}`)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    for (const name of ['Invite', 'Remove 👩🏽‍🚀 é']) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor()
      await check(`dialog ${name}`)
      await page.keyboard.press('Escape')
      await page.locator('.dialog').waitFor({ state: 'detached' })
    }
    await page.goto('/acme/settings')
    await page.getByRole('button', { name: 'Delete workspace' }).click()
    await page.getByLabel('Current password').waitFor()
    await check('deletion')
  })

  await t.test('at night, the edges of controls and the highlight of a menu are seen', async (t) => {
    const page = await open({ as: owner.browser, colorScheme: 'dark' })
    const edges = async (path: string, controls: string[]) => {
      await page.goto(path)
      for (const control of controls) {
        await page.locator(control).first().waitFor()
        const ratio = await contrast(page, control, 'borderTopColor')
        t.ok(ratio >= 3, `the edge of ${control} has ${ratio}`)
      }
    }
    await edges('/acme/members?role=owner', ['.button-secondary', 'input[type=search]', 'select'])
    await edges('/settings/profile', ['input[name=name]'])
    await edges('/settings/email', ['input[name=email]', 'input[type=password]'])

    await page.getByRole('button', { name: /^Menu of/ }).click()
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.locator('[data-highlighted]').waitFor()
    const text = await contrast(page, '[data-highlighted]', 'color')
    t.ok(text >= 4.5, `its text has ${text}`)
    const outline = await contrast(page, '[data-highlighted]', 'outlineColor')
    t.ok(outline >= 3, `its outline has ${outline}`)
    t.equal(await page.evaluate("getComputedStyle(document.querySelector('[data-highlighted]')).outlineStyle"), 'solid')
  })

  await t.test('text of twice the size fits on a phone, and forced colours work', async (t) => {
    const page = await open({ as: owner.browser, viewport: { width: 360, height: 740 } })
    for (const path of ['/acme', '/acme/members', '/acme/settings', '/settings/profile', '/settings/sessions']) {
      await page.goto(path)
      await page.locator('h1').waitFor()
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      t.same(await page.evaluate(tooWide), [], path)
    }
    const forced = await open({ as: owner.browser, forcedColors: 'active' })
    await forced.goto('/acme/members')
    t.not(
      await forced.evaluate("getComputedStyle(document.querySelector('main .avatar')).borderTopColor"),
      'rgba(0, 0, 0, 0)',
    )
    await forced.emulateMedia({ media: 'print', forcedColors: 'none' })
    t.equal(await forced.getByRole('navigation', { name: 'Workspace' }).count(), 0, 'paper has nowhere to go')
  })

  await t.test('an error page has the chosen theme', async (t) => {
    const page = await open({ colorScheme: 'light' })
    await page.goto('/')
    await page.evaluate("localStorage.setItem('theme', 'dark')")
    await page.goto('/404.html')
    const [, night] = colours.canvas
    t.equal(await background(page), `rgb(${[...Buffer.from(night.slice(1), 'hex')].join(', ')})`)
  })

  await t.test('every page has its metadata, and browsers find their well-known files', async (t) => {
    const page = await open({ as: owner.browser })
    await page.goto('/acme')
    for (const selector of [
      'meta[name=description]',
      'meta[property="og:title"]',
      'meta[name=color-scheme]',
      'meta[name=theme-color][media*=light]',
      'meta[name=theme-color][media*=dark]',
      'link[rel=manifest]',
    ]) {
      t.equal(await page.locator(selector).count(), 1, selector)
    }
    const manifest = await page.request.get('/manifest.webmanifest')
    t.equal((await manifest.json()).name, 'Acme Accounts')
    t.equal((await page.request.get('/favicon.ico')).headers()['content-type'], 'image/vnd.microsoft.icon')
    t.match((await page.request.get('/.well-known/change-password')).url(), /\/settings\/password$/)
    t.match((await page.request.get('/settings')).url(), /\/settings\/profile$/)
  })

  await t.test('without scripts a page can be read, and explains what its forms need', async (t) => {
    const page = await open({ javaScriptEnabled: false, hasty: true, expects: ['offline'] })
    await page.goto('/sign_in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.locator('.noscript').waitFor()
    await page.getByText('This form needs JavaScript').waitFor()
    const signedIn = await open({ as: owner.browser, javaScriptEnabled: false, hasty: true, expects: ['offline'] })
    await signedIn.goto('/acme')
    t.equal(await signedIn.locator('.skeleton').filter({ visible: true }).count(), 0)
  })

  await t.test('what is chosen or typed before the script is there is not lost', async () => {
    const page = await open({ as: owner.browser, hasty: true })
    const release = await holdScripts(page)
    await page.goto('/acme/members?role=owner', { waitUntil: 'commit' })
    await page.getByRole('searchbox').fill('Nobody')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Admins')
    await release()
    await page.waitForURL('/acme/members?q=Nobody&role=admin')
  })

  await t.test('a bundle that fails to load is reported', async (t) => {
    for (const [path, file] of [
      ['/sign_in', /\/assets\/main-.*\.js$/],
      ['/settings/email', /\/assets\/signed-in-.*\.js$/],
    ] as const) {
      const page = await open({ as: path === '/sign_in' ? undefined : owner.browser, expects: [404] })
      await page.route(file, (route) => route.fulfill({ status: 404 }))
      await page.goto(path)
      await page.getByText('This page could not be loaded completely.').waitFor()
      await page.unroute(file)
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('textbox', { name: /email/i }).first().waitFor()
      t.equal(await page.locator('#unloaded').count(), 0)
    }
  })
})

/** Holds back all modules of a page. Returns a function that lets them through. */
async function holdScripts(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

const noteShifts = `moved = []; new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    if (value > 0.02) moved.push(value + ' ' + sources.map(({ node }) =>
      (node?.outerHTML ?? node?.textContent)?.slice(0, 80)))
}).observe({ type: 'layout-shift', buffered: true })`

/** Elements beyond the right edge, if the page scrolls sideways. */
const typefaces = `(document.body.offsetHeight, document.fonts.ready.then(() => Object.fromEntries(
  [...document.fonts].filter(({ family }) => !family.endsWith('Fallback')).map(({ family, status }) => [family, status])
)))`

const tooWide = `document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll('main *, header *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('nav'))
  .map((element) => element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 30)) : []`

/** The contrast of one of an element's colours with what is behind it. */
const contrast = (page: Page, selector: string, property: string) =>
  page.evaluate<number>(`(() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number)
    const light = (color) => channels(color).slice(0, 3)
      .map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0)
    const isSeen = (one) => channels(getComputedStyle(one).backgroundColor)[3] !== 0
    const element = document.querySelector('${selector}')
    let behind = element
    while (!isSeen(behind)) behind = behind.parentElement
    const both = [getComputedStyle(element).${property}, getComputedStyle(behind).backgroundColor].map(light)
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
  })()`)

/** Whether a link of the settings can be seen without scrolling sideways. */
const isInSight = (path: string) => `(() => {
  const { left, right } = document.querySelector('.settings-nav [href="${path}"]').getBoundingClientRect()
  return left >= 0 && right <= innerWidth
})()`

const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')

t.test("dates are formatted for the reader's region", { skip }, async (t) => {
  const { app, open } = await startBrowser(t)
  const { owner } = await startAcme(app)
  const page = await open({ as: owner.browser, locale: 'de-AT', timezoneId: 'Pacific/Auckland' })
  await page.goto('/acme/members')
  const joined = page.locator('.person-joined time')
  await joined.waitFor()
  const moment = await joined.getAttribute('datetime')
  const expected = new Intl.DateTimeFormat('en-AT', { dateStyle: 'medium', timeZone: 'Pacific/Auckland' })
  t.equal(await joined.innerText(), expected.format(new Date(moment ?? '')))
})
