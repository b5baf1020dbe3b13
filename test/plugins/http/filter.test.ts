import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { filterPath } from '../../../plugins/http/filter.ts'

t.test('values with secret names are filtered, with brackets and in any case too', async (t) => {
  const secrets = [
    'sid',
    'SID',
    'token',
    'invitation',
    'reset_token',
    'password',
    'password_confirmation',
    'Password_Challenge',
  ]
  for (const name of [...secrets, 'user[password]', 'user[auth_token]', 'token[]', 'token[0][x]']) {
    t.equal(filterPath(`/x?page=2&${name}=abc&q=1`), `/x?page=2&${name}=[FILTERED]&q=1`)
  }
  t.equal(filterPath('/x?sid=abc=='), '/x?sid=[FILTERED]')
  t.equal(filterPath('/x?tok%65n=abc'), '/x?token=[FILTERED]')
  t.equal(filterPath('/x?user%5Bpassword%5D=abc&q=%41'), '/x?user[password]=[FILTERED]&q=%41')
})

t.test('other values are kept', async (t) => {
  for (const name of ['page', 'tokens', 'sidebar', 'user[name]', 'invitations', 'broken%']) {
    t.equal(filterPath(`/x?${name}=2`), `/x?${name}=2`)
  }
  for (const url of ['/', '/?', '/x', '/x?token', '/x?token=', '/x?token=&page=2', '/x?a=1&&b=2'])
    t.equal(filterPath(url), url)
})

t.test('tokens in a path are filtered', async (t) => {
  t.equal(filterPath('/sessions/abc'), '/sessions/[FILTERED]')
  t.equal(filterPath('/sessions/abc/?page=2'), '/sessions/[FILTERED]/?page=2')
  t.equal(filterPath('/invitations/abc/accept'), '/invitations/[FILTERED]/accept')
  t.equal(filterPath('/invitations/abc?token=x'), '/invitations/[FILTERED]?token=[FILTERED]')
  t.equal(filterPath('/%73essions/abc'), '/sessions/[FILTERED]')
  t.equal(filterPath('http://example.com/sessions/abc'), 'http://example.com/sessions/[FILTERED]')
})

t.test('a path without a token is kept', async (t) => {
  for (const url of [
    '/acme/invitations/7',
    '/invitations/',
    '/invitations',
    '/sessions',
    '/settings/sessions',
    '/a%20b',
    '/%',
  ]) {
    t.equal(filterPath(url), url)
  }
})

t.test('double slashes, semicolons and HTML ampersands do not bypass the filter', async (t) => {
  for (const [url, filtered] of [
    ['//invitations/abc', '//invitations/[FILTERED]'],
    ['/invitations//abc', '/invitations//[FILTERED]'],
    ['/invitations/./abc/accept', '/invitations/./[FILTERED]/accept'],
    ['/sessions;x=1/abc', '/sessions;x=1/[FILTERED]'],
    ['/sessions/;x/abc', '/sessions/;x/[FILTERED]'],
    ['/x?sid;=abc', '/x?sid;=[FILTERED]'],
    ['/x?sid%20=abc', '/x?sid =[FILTERED]'],
    ['/x?token;x=abc', '/x?token;x=[FILTERED]'],
    ['/INVITATIONS\\\\abc', '/INVITATIONS\\\\[FILTERED]'],
    ['/invitations%2Fabc', '/invitations/[FILTERED]'],
    ['/%2569nvitations/abc', '/invitations/[FILTERED]'],
    ['/x?x=1;sid=abc', '/x?x=1;sid=[FILTERED]'],
    ['/x?&amp;sid=abc&y=2', '/x?&amp;sid=[FILTERED]&y=2'],
    ['/x%3Fsid=abc', '/x?sid=[FILTERED]'],
    ['/x?a=1%26sid%3Dabc', '/x?a=1&sid=[FILTERED]'],
    ['/x?password=a%26b;c', '/x?password=[FILTERED]'],
    ['/sign_in?next=/invitations/abc', '/sign_in?next=/invitations/[FILTERED]'],
  ]) {
    t.equal(filterPath(url ?? ''), filtered)
  }
})

t.test('repeatedly encoded values are left out', async (t) => {
  t.equal(filterPath(`/x?q=1&%${'25'.repeat(9)}73id=abc`), '/x?q=1&[FILTERED]')
})

t.test('anything as long as a token is filtered anywhere, but not slugs and assets', async (t) => {
  const token = randomBytes(32).toString('base64url')
  t.equal(filterPath(`/acme/${token}`), '/acme/[FILTERED]')
  for (const url of [`/${'a'.repeat(40)}/members`, `/assets/instrument-sans-latin-ext-wght-normal-DJ2OhsFh.woff2`]) {
    t.equal(filterPath(url), url)
  }
})

t.test('a secret is never logged, however it is encoded and whatever surrounds it', async () => {
  const token = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url'))
  const short = fc.stringMatching(/^[a-zA-Z_~]{6,20}$/)
  const password = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 30 }).filter((text) => text.isWellFormed())
  const word = fc.stringMatching(/^[a-z0-9]{0,8}$/)
  const slash = fc.constantFrom('/', '//', '///', '/./', '%2F', '%2f', '%252F', '\\', '%5C')
  const before = fc.constantFrom('?', '&', ';', '&amp;', '?&amp;', '&&', '?x=1;', '%26', '%3B', '?x=1%26', '&#38;')
  const name = fc.constantFrom('sid', 'token', 'invitation', 'reset_token', 'password', 'password_challenge')
  const around = fc.constantFrom('NAME', 'user[NAME]', 'NAME[]', 'user%5BNAME%5D', 'a[b][NAME]')
  const equals = fc.constantFrom('=', '%3D', '%253d')

  const inPath = fc
    .tuple(slash, fc.constantFrom('sessions', 'invitations', 'Invitations'), slash, fc.oneof(token, short), word)
    .chain(([first, place, second, secret, tail]) =>
      fc.tuple(spelled(first + place), spelled(secret)).map(([head, body]) => ({
        url: `${head}${second}${body}${tail ? `/${tail}` : ''}`,
        secret,
      })),
    )
  const inQuery = fc
    .tuple(slash, word, before, name, around, equals, fc.oneof(token, short, password))
    .chain(([first, path, separator, name, around, equals, secret]) =>
      fc.tuple(spelled(around.replace('NAME', name)), fc.boolean()).map(([spelledName, more]) => ({
        url: `${first}${path}${separator}${spelledName}${equals}${encodeURIComponent(secret)}${more ? '&q=1' : ''}`,
        secret,
      })),
    )
  fc.assert(
    fc.property(fc.oneof(inPath, inQuery), ({ url, secret }) => {
      const line = filterPath(url)
      const said = new Set([line, decodeURIComponent(line.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))])
      for (const text of said) {
        if (text.includes(secret) || text.includes(encodeURIComponent(secret))) throw new Error(`${url} became ${line}`)
      }
    }),
    { numRuns: 2_000 },
  )
})

/** The same text with some characters percent-encoded, once or twice. */
const spelled = (text: string) =>
  fc
    .array(fc.constantFrom('as it is', 'encoded', 'twice'), { minLength: text.length, maxLength: text.length })
    .map((ways) => [...text].map((letter, i) => spellings[ways[i] ?? 'as it is'](letter)).join(''))

const hex = (letter: string) => letter.charCodeAt(0).toString(16).padStart(2, '0')
const spellings = {
  'as it is': (letter: string) => letter,
  encoded: (letter: string) => (letter === '%' ? letter : `%${hex(letter)}`),
  twice: (letter: string) => (letter === '%' ? letter : `%25${hex(letter)}`),
}
