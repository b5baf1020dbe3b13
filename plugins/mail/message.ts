import { html } from 'ghtml'
import { type Text, text, translateText } from '../languages/index.ts'
import type { Speech } from '../languages/translate.ts'
import { action, brand, code, facts, footnote, heading, layout, links, paragraph, secondaryAction } from './layout.ts'

export interface Message {
  to: string
  /** The recipient's. The default if they have chosen none. */
  language?: string | null
  subject: Text
  /** What the mail is for, in a sentence that lists of mails show beside the subject. */
  preheader: Text
  heading?: Text
  paragraphs: Text[]
  /** What people type, large and alone. Such a mail has no link at all, not even to the site. */
  code?: string
  facts?: { label: Text; value: Text }[]
  advice?: Text[]
  /** A button. The URL may be a path of this site. */
  action?: { label: Text; url: string }
  footnotes?: Text[]
  /** A link below everything else, for what comes second, or for someone who should not have got this mail. */
  secondaryAction?: { label: Text; url: string }
}

/** Who sends the mails: `links` are the operator's own pages, below everything else. */
export type Sender = { appName: string; origin: string; links: OperatorLinks }

type OperatorLinks = { terms?: string; privacy?: string; imprint?: string; support?: string }

export function render(message: Omit<Message, 'to'>, sender: Sender, language: Speech) {
  const copy = copyOf(message, sender, language)
  return { subject: copy.subject, text: textOf(copy, sender.appName), html: htmlOf(copy, sender.appName, language) }
}

type Copy = ReturnType<typeof copyOf>

/** What it says in this language. */
function copyOf(message: Omit<Message, 'to'>, { origin, links }: Sender, language: Speech) {
  // Names may contain line breaks, and could otherwise add paragraphs to mails we send to other people.
  const words = (part: Text) =>
    translateText(language, part)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  const link = (part: Message['action']) => part && { label: words(part.label), url: new URL(part.url, origin).href }
  const hasLinks = message.code === undefined
  const operatorLinks = [
    links.terms ? { label: text('Terms'), url: links.terms } : undefined,
    links.privacy ? { label: text('Privacy'), url: links.privacy } : undefined,
    links.imprint ? { label: text('Imprint'), url: links.imprint } : undefined,
    links.support ? { label: text('Support'), url: links.support } : undefined,
  ]
  return {
    subject: words(message.subject),
    preheader: words(message.preheader),
    heading: words(message.heading ?? message.subject),
    paragraphs: message.paragraphs.map(words),
    code: message.code,
    facts: (message.facts ?? []).map(({ label, value }) => ({ label: words(label), value: words(value) })),
    advice: (message.advice ?? []).map(words),
    action: link(message.action),
    orCopy: words(text('Or copy this address into your browser:')),
    footnotes: (message.footnotes ?? []).map(words),
    secondaryAction: link(message.secondaryAction),
    home: hasLinks ? origin : undefined,
    links: hasLinks ? operatorLinks.map(link).filter((link) => link !== undefined) : [],
  }
}

function textOf(copy: Copy, appName: string) {
  const link = (part: Copy['action']) => (part ? [`${part.label}:\n${part.url}`] : [])
  const table = copy.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const code = copy.code ? [copy.code] : []
  const beginning = [copy.preheader, copy.heading, ...copy.paragraphs, ...code]
  const body = [...beginning, ...(table ? [table] : []), ...copy.advice, ...link(copy.action)]
  const sender = [appName, copy.home, ...copy.links.map(({ label, url }) => `${label}: ${url}`)]
  const signature = `-- \n${sender.filter((line) => line !== undefined).join('\n')}`
  const end = [...copy.footnotes, ...link(copy.secondaryAction), signature]
  return `${[...body, ...end].join('\n\n')}\n`
}

const htmlOf = (copy: Copy, appName: string, language: Speech) =>
  layout({
    language,
    title: html`${copy.subject}`,
    preheader: html`${copy.preheader}`,
    brand: brand(appName, copy.home && hrefOf(copy.home), language.dir),
    body: [
      heading(copy.heading),
      ...copy.paragraphs.map(paragraph),
      copy.code ? code(copy.code) : '',
      copy.facts.length > 0 ? facts(copy.facts, language.dir) : '',
      ...copy.advice.map(paragraph),
      copy.action ? action(copy.action.label, hrefOf(copy.action.url), copy.orCopy) : '',
    ].join('\n'),
    footer: [
      ...copy.footnotes.map(footnote),
      copy.secondaryAction ? secondaryAction(copy.secondaryAction.label, hrefOf(copy.secondaryAction.url)) : '',
      links(copy.links.map(({ label, url }) => ({ label, href: hrefOf(url) }))),
    ].join('\n'),
  })

// A parsed URL contains neither quotes nor angle brackets. ghtml would also escape =, which trips up mail scanners.
const hrefOf = (url: string) => new URL(url).href.replaceAll('&', '&amp;')
