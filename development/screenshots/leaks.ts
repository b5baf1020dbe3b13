import type { Page } from 'playwright-core'
import { name } from '../../brand/brand.ts'
import { violationsIn } from '../axe.ts'

/** What is wrong with a page in a language that people read: axe's violations, by day and by night, and its width. */
export const problemsOf = async (page: Page) => [
  ...(await violationsIn(page)),
  ...(await page.evaluate<string[]>(tooWide)),
]

const tooWide = `(({ scrollWidth, clientWidth }) =>
  scrollWidth > clientWidth ? [scrollWidth + ' pixels are wider than ' + clientWidth] : [])(document.documentElement)`

/**
 * What a page in the pseudo-language of the tests says without brackets, in words and in names for screen readers, and
 * whether it is too wide. What people wrote has none, so it has to be isolated.
 */
export const leaksOn = async (page: Page) => [
  ...(await page.evaluate<string[]>(collect)),
  ...(await page.evaluate<string[]>(tooWide)),
]

const collect = String.raw`(() => {
  const others = [
    'bdi, [dir="auto"], [lang]:not(html, table), a[dir], code, time, option, textarea, script, style, noscript',
    '.avatar, .brand, .activity-day, section:has(> .activity-day)',
  ].join()
  const appName = ${JSON.stringify(name)}
  const isolated = /\u2068[^\u2068\u2069]*\u2069/
  const leaks = new Set()
  const check = (words, from) => {
    if (from?.closest(others)) return
    let left = words
    while (isolated.test(left)) left = left.replace(isolated, '')
    left = left.replace(/\[[^\]]*\]/g, '')
    if (/\p{L}{2}/u.test(left)) leaks.add(words.trim() + ' in ' + from?.outerHTML.slice(0, 150))
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data !== appName) check(node.data, node.parentElement)
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll('[' + name + ']')) check(element.getAttribute(name), element)
  }
  const title = document.title.split(' · ')[0]
  const isName = [...document.querySelectorAll('bdi, [dir="auto"]')].some((own) => own.textContent.trim() === title)
  if (!isName && title !== appName) check(title, null)
  return [...leaks]
})()`
