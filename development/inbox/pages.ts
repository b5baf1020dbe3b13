import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import type { Letter, Letters } from './letters.ts'

/**
 * A list, and each mail. Mails contain links that sign in, so only loopback names are answered:
 * a site whose name leads to this machine (DNS rebinding) may not read them.
 */
export const inboxPages =
  (letters: Letters): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      // not `request.hostname`, which believes X-Forwarded-Host
      isLoopback(request.headers.host) ? done() : reply.callNotFound()
    })

    app.get('/dev/inbox', async (_request, reply) => send(reply, listPage(await letters.all())))

    app.get<{ Params: { id: string } }>('/dev/inbox/:id(^\\d+-[0-9a-f]+$)', async (request, reply) => {
      const letter = await letters.one(request.params.id)
      return letter ? send(reply, letterPage(letter)) : reply.callNotFound()
    })
  }

const isLoopback = (host = '') => /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host)

// A mail has its own styles but runs no scripts: its frame has the policy of the page.
const policy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const send = (reply: FastifyReply, page: string) =>
  reply
    .headers({ 'cache-control': 'no-store', 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .send(page)

const listPage = (letters: Letter[]) =>
  page(
    'Inbox',
    letters.length === 0
      ? html`<p>No mail yet. Mails that the application sends in development arrive here and go nowhere else.</p>`
      : html`<ol>!${letters.map(entry)}</ol>`,
  )

const entry = (letter: Letter) => html`
  <li><a href="/dev/inbox/${letter.id}">${letter.subject ?? '(no subject)'}</a>
    <small>${recipientsOf(letter)}, ${timeOf(letter)}</small></li>`

const letterPage = (letter: Letter) =>
  page(
    letter.subject ?? '(no subject)',
    html`<p><a href="/dev/inbox">Inbox</a></p>
      <p>From ${senderOf(letter)} to ${recipientsOf(letter)}, ${timeOf(letter)}</p>
      !${letter.html ? frame(letter.html) : ''}
      <pre>!${linked(letter.text ?? '')}</pre>`,
  )

// No scripts or forms. Links open in the top window, on a click only.
const frame = (source: string) => html`
  <iframe srcdoc="${source.replace('<head>', '<head><base target="_top">')}" title="HTML part"
    sandbox="allow-top-navigation-by-user-activation"></iframe>`

const page = (title: string, body: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
<style>
:root { color-scheme: light dark; font: 1rem / 1.5 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
li { margin: 0.75rem 0; }
small { display: block; }
iframe { width: 100%; height: 42rem; border: 1px solid #8886; }
pre { padding: 1rem; border: 1px solid #8886; white-space: pre-wrap; }
</style>
</head>
<body><h1>${title}</h1>!${body}</body>
</html>
`

const senderOf = ({ from }: Letter) => `${from?.name ?? ''} <${from?.address ?? ''}>`.trim()
const recipientsOf = ({ to }: Letter) => (to ?? []).map(({ address }) => address).join(', ')
const timeOf = ({ arrivedAt }: Letter) => arrivedAt.toLocaleString('en-GB')

const linked = (text: string) =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 ? html`<a href="${part}">${part}</a>` : html`${part}`))
    .join('')
