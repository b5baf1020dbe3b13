import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** The source of axe, to be evaluated in a page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** To be evaluated after `axe`. What passes is not described, which would take most of the time. */
const findViolations = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' at ' + nodes.map(({ target }) => target)))`

/** axe's violations, once fonts and colours have settled. */
export async function violations(page: Page) {
  await page.locator('h1').waitFor()
  if (!(await page.evaluate('Boolean(window.axe)'))) await page.evaluate(axe)
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
  return await page.evaluate<string[]>(findViolations)
}

/** The violations of a page by day and by night, without loading it again. */
export async function violationsIn(page: Page, schemes: readonly Scheme[] = ['dark', 'light']) {
  const found: string[] = []
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await violations(page)).map((violation) => `${colorScheme}: ${violation}`))
  }
  return found
}

type Scheme = 'dark' | 'light'
