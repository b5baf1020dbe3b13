import { html } from 'ghtml'
import { action, brand, footnote, heading, lastly, layout, paragraph } from './layout.ts'

/** Plain text, one string per paragraph. Both parts of the mail are rendered from it. */
export interface Message {
  to: string
  subject: string
  heading: string
  paragraphs: string[]
  action?: { label: string; url: string }
  footnotes?: string[]
  /** A link below everything else, for somebody who should not have got this mail. */
  lastly?: { label: string; url: string }
}

type Copy = Omit<Message, 'to'>
type Sender = { appName: string; origin: string }

/** Renders the message as text and as HTML. */
export function render(message: Copy, sender: Sender) {
  const copy = {
    ...message,
    heading: oneLine(message.heading),
    paragraphs: message.paragraphs.map(oneLine),
    footnotes: (message.footnotes ?? []).map(oneLine),
  }
  return { subject: oneLine(message.subject), text: textOf(copy, sender), html: htmlOf(copy, sender) }
}

// Names may contain line breaks, and could otherwise add paragraphs to mails we send to other people.
const oneLine = (words: string) => words.replace(/[\s\p{Cc}]+/gu, ' ').trim()

type Clean = Copy & { footnotes: string[] }

function textOf(copy: Clean, { appName, origin }: Sender) {
  const link = copy.action ? [`${copy.action.label}:\n${copy.action.url}`] : []
  const last = copy.lastly ? [`${copy.lastly.label}:\n${copy.lastly.url}`] : []
  const signature = `-- \n${appName}\n${origin}`
  return `${[copy.heading, ...copy.paragraphs, ...link, ...copy.footnotes, ...last, signature].join('\n\n')}\n`
}

function htmlOf(copy: Clean, { appName, origin }: Sender) {
  return layout({
    title: html`${copy.subject}`,
    brand: brand(appName, hrefOf(origin)),
    body: [
      heading(copy.heading),
      ...copy.paragraphs.map(paragraph),
      copy.action ? action(copy.action.label, hrefOf(copy.action.url)) : '',
    ].join('\n'),
    footer: [
      ...copy.footnotes.map(footnote),
      copy.lastly ? lastly(copy.lastly.label, hrefOf(copy.lastly.url)) : '',
    ].join('\n'),
  })
}

// A parsed URL contains neither quotes nor angle brackets. ghtml would also escape =, which trips up mail scanners.
const hrefOf = (url: string) => new URL(url).href.replaceAll('&', '&amp;')
