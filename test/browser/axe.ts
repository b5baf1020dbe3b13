import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { violations } from '../../development/axe.ts'

export { violations, violationsIn } from '../../development/axe.ts'

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
