import { html } from 'ghtml'
import { text } from '../plugins/languages/text.ts'
import { type Speech, translate } from '../plugins/languages/translate.ts'

type Site = { appName: string; origin: string }

const description = (speech: Speech, appName: string) => {
  const { text: description } = about
  return translate(speech, description, { appName })
}
const about = text(
  `{appName}: one sign-in for your personal workspace and for those that you share with a team, a client or a
  project.`,
  { appName: '' },
)

/** Meta tags of every page, for browsers and link previews. */
export const headOf = ({ appName, origin }: Site, speech: Speech) =>
  [
    html`<meta name="description" content="${description(speech, appName)}">`,
    '<meta name="color-scheme" content="light dark">',
    html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f7f3">`,
    html`<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0c1210">`,
    html`<meta property="og:site_name" content="${appName}"><meta property="og:type" content="website">`,
    html`<meta property="og:title" content="${appName}">`,
    html`<meta property="og:description" content="${description(speech, appName)}">`,
    html`<meta property="og:image" content="${origin}/card.png">`,
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
    '<link rel="manifest" href="/manifest.webmanifest">',
  ].join('')

/** Without JavaScript, people see the server-rendered page, if any, but cannot submit forms. */
export const footOf = ({ appName }: Site, speech: Speech) =>
  html`<noscript><p class="noscript">${translate(speech, scripts.text, { appName })}</p></noscript>`
const scripts = text(
  `{appName} needs JavaScript: its forms carry a proof of where they come from, which only a script can add. Please
  allow it for this site and load the page again.`,
  { appName: '' },
)
