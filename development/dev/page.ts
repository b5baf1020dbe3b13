import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { html } from 'ghtml'

const root = new URL('../../', import.meta.url)

/** What went wrong, and where in our own code, for developers. */
export function errorPage({ name, message, stack = '' }: Error, nonce = '') {
  const withoutRoot = (text: string) =>
    stripVTControlCharacters(text).replaceAll(root.href, '').replaceAll(fileURLToPath(root), '')
  const title = withoutRoot(`${name}: ${message}`)
  const details = withoutRoot(stack)
  // Vite's client loads the page again when the server has restarted.
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 1rem / 1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.375rem; overflow-wrap: anywhere; white-space: pre-wrap; }
pre { padding: 1rem; border: 1px solid #8886; border-radius: 0.5rem; overflow: auto; white-space: pre-wrap; }
</style>
<script type="module" nonce="${nonce}" src="/assets/@vite/client"></script>
</head>
<body>
<h1>${title}</h1>
<p><code>${placeIn(`${title}\n${details}`) ?? ''}</code></p>
<pre>${details}</pre>
</body>
</html>
`
}

/** The first line of our own code, such as `features/auth/index.ts:12:3`. */
function placeIn(text: string) {
  const ours = text.split('\n').filter((line) => !/node_modules|node:/.test(line))
  return ours.map((line) => /(?:^|[\s([])((?:[\w-]+\/)*[\w.-]+\.tsx?:\d+(?::\d+)?)/.exec(line)?.[1]).find(Boolean)
}
