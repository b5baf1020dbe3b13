import type { FastifyPluginAsync } from 'fastify'
import { html } from 'ghtml'
import { plainPage } from '../page.ts'
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

    app.get('/dev/inbox', async (_request, reply) => reply.headers(headers).send(listPage(await letters.all())))

    app.get<{ Params: { id: string } }>('/dev/inbox/:id(^\\d+-[0-9a-f]+$)', async (request, reply) => {
      const letter = await letters.one(request.params.id)
      return letter ? reply.headers(headers).send(letterPage(letter)) : reply.callNotFound()
    })
  }

const isLoopback = (host = '') => /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host)

const headers = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  // A mail has its own styles but runs no scripts: its frame has the policy of the page.
  'content-security-policy': "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

const listPage = (letters: Letter[]) =>
  plainPage({
    title: 'Inbox',
    body:
      letters.length === 0
        ? html`<p>No mail yet. Mails that the application sends in development arrive here and go nowhere else.</p>`
        : html`<ol>!${letters.map(entry)}</ol>`,
  })

const entry = (letter: Letter) => html`
  <li><a href="/dev/inbox/${letter.id}">${letter.subject ?? '(no subject)'}</a>
    <small>${recipientsOf(letter)}, ${timeOf(letter)}</small></li>`

const letterPage = (letter: Letter) =>
  plainPage({
    title: letter.subject ?? '(no subject)',
    body: html`<p><a href="/dev/inbox">Inbox</a></p>
      <p>From ${senderOf(letter)} to ${recipientsOf(letter)}, ${timeOf(letter)}</p>
      !${letter.html ? frame(letter.html) : ''}
      <pre>${letter.text ?? ''}</pre>`,
  })

// No scripts or forms. Links open in the top window, on a click only.
const frame = (source: string) => html`
  <iframe srcdoc="${source.replace('<head>', '<head><base target="_top">')}" title="HTML part"
    sandbox="allow-top-navigation-by-user-activation"></iframe>`

const senderOf = ({ from }: Letter) => `${from?.name ?? ''} <${from?.address ?? ''}>`.trim()
const recipientsOf = ({ to }: Letter) => (to ?? []).map(({ address }) => address).join(', ')
const timeOf = ({ arrivedAt }: Letter) => arrivedAt.toLocaleString('en-GB')
