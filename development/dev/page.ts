import { fileURLToPath } from 'node:url'
import { html } from 'ghtml'

const root = new URL('../../', import.meta.url)

/** What went wrong, and where in our own code, for developers. */
export function errorPage(message: string, stack: string, nonce?: string) {
  const text = stack.replaceAll(root.href, '').replaceAll(fileURLToPath(root), '')
  return page(
    message,
    html`<h1>${message}</h1>
      <p><code>${placeIn(text) ?? ''}</code></p>
      <pre>${text}</pre>`,
    nonce,
  )
}

export const waitingPage = (lastLine: string) =>
  page('Starting', html`<h1>The server is starting</h1><pre>${lastLine}</pre>`)

/** The first line of our own code, such as `features/auth/index.ts:12:3`. */
function placeIn(text: string) {
  const lines = text.split('\n').filter((line) => !/node_modules|node:/.test(line))
  for (const line of lines) {
    const [, place] = /(?:^|[\s(])((?:[\w-]+\/)*[\w.-]+\.tsx?:\d+(?::\d+)?)/.exec(line) ?? []
    if (place) return place
  }
  return undefined
}

// Vite's client loads the page again when the server has restarted.
const page = (title: string, body: string, nonce = '') => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 1rem / 1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.375rem; overflow-wrap: anywhere; }
pre { padding: 1rem; border: 1px solid #8886; border-radius: 0.5rem; overflow: auto; white-space: pre-wrap; }
</style>
<script type="module" nonce="${nonce}" src="/assets/@vite/client"></script>
</head>
<body>!${body}</body>
</html>
`
