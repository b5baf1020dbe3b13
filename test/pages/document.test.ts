import { serialize } from 'node:v8'
import fc from 'fast-check'
import t from 'tap'
import { documentOf } from '../../pages/document.ts'
import type { Rendered } from '../../plugins/inertia/pages.ts'
import { unrendered } from '../../plugins/inertia/render.ts'
import { english } from '../../plugins/languages/translate.ts'

const given = {
  links: {},
  options: ['single-sign-on'],
  appName: 'Tea & "Co" <b>',
  origin: 'https://app.example.com',
  language: english,
  languages: { en: 'English', ar: 'العربية' },
  firstScript: 'start(texts)',
}
const tags = '<script type="module" src="/assets/main.js"></script>'
const documentWith = (rendered: Rendered) => documentOf(given)({ nonce: 'N0NCE', tags, ...rendered })
const page = (props: Record<string, unknown>) =>
  unrendered({ component: 'test', props, url: '/', version: '1', sharedProps: [], flash: {} })

t.test("a document has one title, the application's name escaped, and its scripts before the page", async (t) => {
  const html = documentWith(page({}))
  t.match(html, /^<!doctype html>\n<html lang="en" dir="ltr">/)
  t.equal(html.match(/<title/g)?.length, 1)
  t.notMatch(html, 'Tea & "Co" <b>')
  t.match(html, '<title>Tea &#38; &#34;Co&#34; &#60;b&#62;</title>')
  t.match(html, /<script nonce="N0NCE">.*<\/script>\n<script type="module".*<\/head>\n<body>.*<script data-page="app"/s)
  t.match(html, /<body><noscript>.*<\/noscript>.*<div id="app"><\/div><\/body>/s)
})

t.test('a document in English takes one byte for a letter, also beside languages in other letters', async (t) => {
  const html = documentWith(page({}))
  t.ok(serialize(html).length < html.length * 1.1)
})

t.test('what the server rendered is inserted as it is, with its own title only', async (t) => {
  const html = documentWith({ head: ['<title>Page · App</title>'], body: "<b>$& $' $1</b>" })
  t.equal(html.match(/<title/g)?.length, 1)
  t.match(html, '<title>Page · App</title>')
  t.match(html, "</noscript><b>$& $' $1</b></body>")
})

const nasty = fc
  .constantFrom('</script>', '<script>', '<!--', ']]>', "$&$'$`$1", '\u2028\u2029', '/a//b/', '\\u003c', '"')
  .chain((part) => fc.string().map((rest) => ({ [rest + part]: part + rest })))

t.test('no prop breaks out of its script, and each is restored unchanged', async (t) => {
  const harmless = documentWith(page({})).match(/<script|<!--/gi)?.length
  const result = fc.check(
    fc.property(fc.oneof(nasty, fc.jsonValue({ stringUnit: 'binary' })), (value) => {
      const html = documentWith(page({ value }))
      const [, json = ''] = /<script data-page="app" type="application\/json">(.*?)<\/script>/s.exec(html) ?? []
      const isRestored = JSON.stringify(JSON.parse(json).props.value) === JSON.stringify(value)
      return html.match(/<script|<!--/gi)?.length === harmless && isRestored
    }),
    { numRuns: 300 },
  )
  t.notOk(result.failed, fc.defaultReportMessage(result) ?? 'as many scripts as in any document, and the same JSON')
})
