import { html } from 'ghtml'
import { type Text, text, translateText } from '../languages/index.ts'
import type { Speech } from '../languages/translate.ts'
import { action, brand, facts, footnote, heading, layout, paragraph, secondaryAction } from './layout.ts'

export interface Message {
  to: string
  /** The recipient's. The default if they have chosen none. */
  language?: string | null
  subject: Text
  heading?: Text
  paragraphs: Text[]
  facts?: { label: Text; value: Text }[]
  advice?: Text[]
  /** A button. The URL may be a path of this site. */
  action?: { label: Text; url: string }
  footnotes?: Text[]
  /** A link below everything else, for someone who should not have got this mail. */
  secondaryAction?: { label: Text; url: string }
}

type Sender = { appName: string; origin: string }

export function render(message: Omit<Message, 'to'>, sender: Sender, language: Speech) {
  const copy = copyOf(message, sender, language)
  return { subject: copy.subject, text: textOf(copy, sender), html: htmlOf(copy, sender, language) }
}

type Copy = ReturnType<typeof copyOf>

function copyOf(message: Omit<Message, 'to'>, { origin }: Sender, language: Speech) {
  // Names may contain line breaks, and could otherwise add paragraphs to mails we send to other people.
  const words = (given: Text) =>
    translateText(language, given)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  const link = (given: Message['action']) =>
    given && { label: words(given.label), url: new URL(given.url, origin).href }
  return {
    subject: words(message.subject),
    heading: words(message.heading ?? message.subject),
    paragraphs: message.paragraphs.map(words),
    facts: (message.facts ?? []).map(({ label, value }) => ({ label: words(label), value: words(value) })),
    advice: (message.advice ?? []).map(words),
    action: link(message.action),
    orCopy: words(text('Or copy this address into your browser:')),
    footnotes: (message.footnotes ?? []).map(words),
    secondaryAction: link(message.secondaryAction),
  }
}

function textOf(copy: Copy, { appName, origin }: Sender) {
  const link = (given: Copy['action']) => (given ? [`${given.label}:\n${given.url}`] : [])
  const table = copy.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const body = [copy.heading, ...copy.paragraphs, ...(table ? [table] : []), ...copy.advice, ...link(copy.action)]
  const end = [...copy.footnotes, ...link(copy.secondaryAction), `-- \n${appName}\n${origin}`]
  return `${[...body, ...end].join('\n\n')}\n`
}

const htmlOf = (copy: Copy, { appName, origin }: Sender, language: Speech) =>
  layout({
    language,
    title: html`${copy.subject}`,
    brand: brand(appName, hrefOf(origin), language.dir),
    body: [
      heading(copy.heading),
      ...copy.paragraphs.map(paragraph),
      copy.facts.length > 0 ? facts(copy.facts, language.dir) : '',
      ...copy.advice.map(paragraph),
      copy.action ? action(copy.action.label, hrefOf(copy.action.url), copy.orCopy) : '',
    ].join('\n'),
    footer: [
      ...copy.footnotes.map(footnote),
      copy.secondaryAction ? secondaryAction(copy.secondaryAction.label, hrefOf(copy.secondaryAction.url)) : '',
    ].join('\n'),
  })

// A parsed URL contains neither quotes nor angle brackets. ghtml would also escape =, which trips up mail scanners.
const hrefOf = (url: string) => new URL(url).href.replaceAll('&', '&amp;')
