import { html } from 'ghtml'

type Page = { title: string; body: string; head?: string; nonce?: string }

/** A page without scripts for developers: the inbox, the provider, errors. */
export const plainPage = ({ title, body, head = '', nonce = '' }: Page) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 1rem / 1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; white-space: pre-wrap; }
li, button { margin: 0.375rem 0; }
small { display: block; }
button { width: 100%; padding: 0.75rem; font: inherit; text-align: start; }
iframe { width: 100%; height: 42rem; border: 1px solid #8886; }
pre { padding: 1rem; border: 1px solid #8886; white-space: pre-wrap; }
</style>
!${head}
</head>
<body><h1>${title}</h1>!${body}</body>
</html>
`
