import fc from 'fast-check'
import t from 'tap'
import { createDocument } from '../../../plugins/inertia/index.ts'
import { embedded, startPage } from './site.ts'

t.test('the document has what a page needs, in order', async (t) => {
  const { load } = await startPage(t, () => ({}))
  const { body } = await load('/')

  t.ok(body.startsWith('<!doctype html><html lang="en"><head><meta charset="utf-8">'))
  const wanted = [
    '<meta name="viewport"',
    '<title>',
    '<meta name="application-name"',
    '<meta name="mobile-web-app-capable" content="yes">',
    '<meta name="apple-mobile-web-app-capable" content="yes">',
    '<meta name="apple-mobile-web-app-title"',
    '/icon.png',
    '/icon.svg',
    '<meta name="color-scheme" content="light dark">',
    '<script nonce="N0NCE">theme()</script>',
    '<script type="module" src="/assets/main.js" data-for="test/any N0NCE"></script></head><body>',
    '<script data-page="app" type="application/json">',
    '</script><div id="app"></div></body></html>',
  ]
  const places = wanted.map((part) => body.indexOf(part))
  t.notOk(places.includes(-1), 'everything is there')
  t.strictSame(
    places,
    places.toSorted((a, b) => a - b),
  )
  t.notMatch(body, /csrf/i)
})

t.test("there is one title, and the application's name is escaped everywhere", async (t) => {
  const { load } = await startPage(t, () => ({}))
  const { body } = await load('/')
  t.equal(body.match(/<title/g)?.length, 1)
  t.notMatch(body, 'Tea & "Co" <b>')
  t.equal(body.match(/Tea &#38; &#34;Co&#34; &#60;b&#62;/g)?.length, 3)
})

t.test('no prop breaks out of its script, and each is restored unchanged', async (t) => {
  let given: unknown
  const { load } = await startPage(t, () => ({ given }))
  const unharmed = fc.asyncProperty(fc.oneof(nasty, fc.jsonValue({ stringUnit: 'binary' })), async (value) => {
    given = value
    const { body } = await load('/')
    const scripts = body.match(/<script|<!--/gi)?.length
    return scripts === 3 && JSON.stringify(embedded(body).props.given) === JSON.stringify(value)
  })
  await fc.assert(unharmed, { numRuns: 300 })
  t.pass('three scripts in each document, and the same JSON')
})

const nasty = fc
  .constantFrom('</script>', '<script>', '<!--', ']]>', "$&$'$`$1", '\u2028\u2029', '/a//b/', '\\u003c', '"')
  .chain((part) => fc.string().map((rest) => ({ [rest + part]: part + rest })))

t.test('server-rendered HTML is inserted as it is, with its own title only', async (t) => {
  const document = createDocument({ appName: 'App', script: '', nonce: () => 'n', tags: () => '' })
  const rendered = {
    head: ['<title>Page · App</title>', '<meta name="d" data-inertia="d">'],
    body: "<b>$& $' $1</b>",
  }
  const { load } = await startPage(t, () => ({}), {
    document,
    renderer: { render: async () => rendered, close: async () => {} },
  })
  const { body } = await load('/')
  t.equal(body.match(/<title/g)?.length, 1)
  t.match(body, '<title>Page · App</title>\n<meta name="d" data-inertia="d">')
  t.ok(body.endsWith("<body><b>$& $' $1</b></body></html>"))
})
