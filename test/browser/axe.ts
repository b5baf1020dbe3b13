import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** axe's violations, once fonts and colours have settled. */
export async function violations(page: Page) {
  await page.locator('h1').waitFor()
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))')
  return await page.evaluate<string[]>(`${axe};
    axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' at ' + nodes.map(({ target }) => target)))`)
}
