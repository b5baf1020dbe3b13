import { html } from 'ghtml'
import { description } from '../brand/brand.ts'
import { day, night } from '../brand/themes.ts'
import { text } from '../plugins/languages/text.ts'
import { type Speech, translate } from '../plugins/languages/translate.ts'
import type { Links } from './shared/site.ts'

type Site = {
  appName: string
  origin: string
  links: Links
  options: string[]
  language: Speech
  languages: Record<string, string>
  /** The code of pages/first-script.ts. */
  firstScript: string
}

type Page = { nonce: string; tags: string; head: string[]; body: string }

/** Makes documents for the readers of a language. What is the same for all of them is written once. */
export function documentOf({ appName, origin, language, ...site }: Site) {
  const start = html`<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
`
  const title = html`<title>${appName}</title>`
  const about = html`
<meta name="application-name" content="${appName}">
<meta name="languages" content="${inLatin(JSON.stringify(site.languages))}">
<meta name="links" content="${JSON.stringify(site.links)}">
<meta name="options" content="${site.options.join(' ')}">
<meta name="description" content="${translate(language, description.text, { appName })}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${day.canvas}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${night.canvas}">
<meta name="mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-title" content="${appName}">
<meta property="og:site_name" content="${appName}">
<meta property="og:type" content="website">
<meta property="og:title" content="${appName}">
<meta property="og:description" content="${translate(language, description.text, { appName })}">
<meta property="og:image" content="${origin}/card.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<link rel="icon" href="/icon.png" type="image/png">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/icon.png">
<link rel="manifest" href="/manifest.webmanifest">
`
  const script = `(function(texts){\n${site.firstScript}\n})(${textsIn(language)})</script>\n`
  const noscript = html`<noscript><p class="noscript">${translate(language, scripts.text, { appName })}</p></noscript>`

  return ({ nonce, tags, head, body }: Page) =>
    `${start}${head.length > 0 ? head.join('\n') : title}${about}<script nonce="${nonce}">${script}${tags}
</head>
<body>${noscript}${body}</body>
</html>
`
}

/** One letter beyond Latin-1 makes Node encode the whole document anew for each answer: a tenth of its time. */
function inLatin(json: string) {
  const escaped = json.replace(/[^\0-\xff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return Buffer.from(escaped).toString() // what is replaced in wide letters keeps them, whatever is left
}

/** Without JavaScript, people see the server-rendered page, if any, but cannot submit forms. */
const scripts = text(
  `{appName} needs JavaScript: its forms include a security check that only a script can add. Please allow it for this
  site and reload the page.`,
  { appName: '' },
)

/** The texts of the first script, as JSON in which no `<` can end the script. */
const textsIn = (language: Speech) =>
  JSON.stringify({
    starting: translate(language, starting.text),
    incomplete: translate(language, incomplete.text),
    reload: translate(language, reload.text),
  }).replaceAll('<', '\\u003c')

const starting = text('This page is still loading. What you pressed is done in a moment.')
const incomplete = text('This page could not be loaded completely.')
const reload = text('Reload')
