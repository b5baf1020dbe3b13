import { html } from 'ghtml'
import { description } from '../brand/brand.ts'
import { day, night } from '../brand/themes.ts'
import { text } from '../plugins/languages/text.ts'
import { type Speech, translate } from '../plugins/languages/translate.ts'

type Site = { appName: string; origin: string }

/** Meta tags of every page, for browsers and link previews. */
export const headOf = ({ appName, origin }: Site, speech: Speech) =>
  [
    html`<meta name="description" content="${translate(speech, description.text, { appName })}">`,
    '<meta name="color-scheme" content="light dark">',
    html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${day.canvas}">`,
    html`<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${night.canvas}">`,
    html`<meta property="og:site_name" content="${appName}"><meta property="og:type" content="website">`,
    html`<meta property="og:title" content="${appName}">`,
    html`<meta property="og:description" content="${translate(speech, description.text, { appName })}">`,
    html`<meta property="og:image" content="${origin}/card.png">`,
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
    '<link rel="manifest" href="/manifest.webmanifest">',
  ].join('')

/** Without JavaScript, people see the server-rendered page, if any, but cannot submit forms. */
export const footOf = ({ appName }: Site, speech: Speech) =>
  html`<noscript><p class="noscript">${translate(speech, scripts.text, { appName })}</p></noscript>`
const scripts = text(
  `{appName} needs JavaScript: its forms include a security check that only a script can add. Please allow it for this
  site and reload the page.`,
  { appName: '' },
)
