import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// What passes is not described, which would take most of the time.
const findViolations = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' at ' + nodes.map(({ target }) => target)))`

/** axe's violations, once fonts and colours have settled. */
export async function violations(page: Page) {
  await page.locator('h1').waitFor()
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axe)
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
  return await page.evaluate<string[]>(findViolations)
}

/** A page in the light on a desktop, and in the dark on a phone. */
export async function checkAll(t: Test, page: Page, name: string) {
  t.same(await violations(page), [], name)
  const desktop = page.viewportSize()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  t.same(await violations(page), [], `${name}, in the dark on a phone`)
  t.notOk(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), `${name} fits`)
  await page.emulateMedia({ colorScheme: 'light' })
  if (desktop) await page.setViewportSize(desktop)
}
