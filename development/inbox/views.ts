import { html } from 'ghtml'
import type { Letters } from './letters.ts'
import { styleSheet } from './style.ts'

type Letter = Awaited<ReturnType<Letters['all']>>[number]

export function listPage(letters: Letter[], nonce: string, token: string) {
  if (letters.length === 0) {
    return page(
      'Inbox',
      nonce,
      html`<h1>Inbox</h1>
        <p class="empty">
          No mail yet. Whatever the application sends while you develop comes here and goes nowhere else.
        </p>`,
    )
  }
  return page(
    'Inbox',
    nonce,
    html`<div class="head"><h1>Inbox</h1>
      <form method="post" action="/dev/inbox/delete">
        <input type="hidden" name="token" value="${token}"><button>Delete all</button>
      </form></div>
      <ol class="letters">!${letters.map(entry)}</ol>`,
  )
}

const entry = (letter: Letter) => html`
  <li><a href="/dev/inbox/${letter.id}">
    <span class="subject">${letter.subject ?? '(no subject)'}</span>
    <span class="to">${recipientOf(letter)}</span>
    !${time(letter)}
  </a></li>`

export const letterPage = (letter: Letter, nonce: string) =>
  page(
    letter.subject ?? 'Mail',
    nonce,
    html`<p><a class="back" href="/dev/inbox">Inbox</a></p>
      <h1>${letter.subject ?? '(no subject)'}</h1>
      <dl>
        <dt>From</dt><dd>${addressOf(letter.from)}</dd>
        <dt>To</dt><dd>${recipientOf(letter)}</dd>
        <dt>When</dt><dd>!${time(letter)}</dd>
      </dl>
      !${letter.html ? htmlPart(letter) : ''}
      <h2>Text</h2>
      <pre>!${linked(letter.text ?? '')}</pre>`,
  )

// No scripts or forms. Navigation only on a click.
const htmlPart = ({ id }: Letter) => html`
  <h2>HTML</h2>
  <iframe src="/dev/inbox/${id}/html" title="HTML part" sandbox="allow-top-navigation-by-user-activation"></iframe>`

const page = (title: string, nonce: string, body: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
<style nonce="${nonce}">!${styleSheet}</style>
</head>
<body><main>!${body}</main></body>
</html>
`

const addressOf = (from: Letter['from']) =>
  from?.name && from.address ? `${from.name} <${from.address}>` : (from?.address ?? 'nobody')

const recipientOf = ({ to }: Letter) => (to ?? []).map(({ address }) => address).join(', ')

const time = ({ came }: Letter) => html`<time datetime="${came.toISOString()}">${came.toLocaleString('en-GB')}</time>`

const linked = (text: string) =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 ? html`<a href="${part}">${part}</a>` : html`${part}`))
    .join('')
