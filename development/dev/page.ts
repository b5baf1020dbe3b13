import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { html } from 'ghtml'
import { plainPage } from '../page.ts'

const root = new URL('../../', import.meta.url)

/** What went wrong, and where in our own code, for developers. */
export function errorPage({ name, message, stack = '' }: Error, nonce = '') {
  const withoutRoot = (text: string) =>
    stripVTControlCharacters(text).replaceAll(root.href, '').replaceAll(fileURLToPath(root), '')
  const title = withoutRoot(`${name}: ${message}`)
  const details = withoutRoot(stack)
  return plainPage({
    title,
    nonce,
    // Vite's client loads the page again when the server has restarted. What it shows before that has a style, which
    // the policy refuses without the nonce.
    head: html`<meta property="csp-nonce" nonce="${nonce}">
  <script type="module" nonce="${nonce}" src="/assets/@vite/client"></script>`,
    body: html`<p><code>${placeIn(`${title}\n${details}`) ?? ''}</code></p><pre>${details}</pre>`,
  })
}

/** The first line of our own code, such as `features/auth/index.ts:12:3`. */
function placeIn(text: string) {
  const ours = text.split('\n').filter((line) => !/node_modules|node:/.test(line))
  return ours.map((line) => /(?:^|[\s([])((?:[\w-]+\/)*[\w.-]+\.tsx?:\d+(?::\d+)?)/.exec(line)?.[1]).find(Boolean)
}
