import { html } from 'ghtml'
import { layout } from './layout.ts'

/** The one source of a mail's two parts. A paragraph is plain text. */
export interface Message {
  to: string
  subject: string
  heading: string
  paragraphs: string[]
  action?: { label: string; url: string }
  footnotes?: string[]
}

type Copy = Omit<Message, 'to'>
type Sender = { appName: string; origin: string }

/** The same words and the same link as plain text and as HTML. */
export function render(message: Copy, sender: Sender) {
  return { subject: message.subject, text: textOf(message, sender), html: htmlOf(message, sender) }
}

function textOf({ heading, paragraphs, action, footnotes = [] }: Copy, { appName, origin }: Sender) {
  const link = action ? [`${action.label}:\n${action.url}`] : []
  return `${[heading, ...paragraphs, ...link, ...footnotes, `-- \n${appName}\n${origin}`].join('\n\n')}\n`
}

function htmlOf({ heading, paragraphs, action, footnotes = [], subject }: Copy, { appName, origin }: Sender) {
  const link = action && href(action.url)
  return layout({
    title: subject,
    preview: paragraphs.at(-1) ?? heading,
    brand: html`<a class="ink" href="!${href(origin)}">${appName}</a>`,
    body: html`
      <h1 class="ink">${heading}</h1>
      !${paragraphs.map((paragraph) => html`<p class="ink">${paragraph}</p>`)}
      !${action ? button(action.label, link ?? '') : ''}
      !${link ? html`<p class="muted small">Or open this link:<br><a class="link" href="!${link}">!${link}</a></p>` : ''}
    `,
    footer: html`!${footnotes.map((footnote) => html`<p class="muted small">${footnote}</p>`)}`,
  })
}

// Outlook pads no links, so the cell around it has the colour as well.
const button = (label: string, link: string) => html`
  <table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" bgcolor="#0b5d44">
    <a href="!${link}">${label}</a>
  </td></tr></table>`

// A parsed address holds neither quotes nor angle brackets; ghtml would write = as an entity, on which scanners of mails stumble.
const href = (url: string) => new URL(url).href.replaceAll('&', '&amp;')
