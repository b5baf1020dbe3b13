/**
 * Removes secrets from a URL before it is logged: tokens in the path, values of parameters with a secret name, and any
 * word as long as a token, in whatever encoding. A part that contains a secret is logged decoded, all others exactly as
 * received.
 */
export const filterPath = (url: string) =>
  harmless.test(url) && !secretPlace.test(url) ? url : url.split('&').map(filterPart).join('&')

// Most paths cannot contain a secret, and a full look at each costs 1 % of a page.
const harmless = /^[\w/.-]{1,40}$/
const secretPlace = /sessions|invitations/i

const hidden = '[FILTERED]'
const parameters = String.raw`(?:;[^/\\]{0,64})?`
const emptySegments = String.raw`(?:[.;][^/\\]{0,64}[/\\]+)*`
const id = String.raw`\d{1,15}(?:[/\\?#;]|$)`
const inPath = new RegExp(
  String.raw`((?:^|[^\w-])(?:sessions|invitations)${parameters}[/\\]+${emptySegments})(?!${id})[^/\\?#]+`,
  'gi',
)
const secretName =
  /(?:^|[^\w-])(?:sid|token|invitation|[\w-]*_token|password[\w-]*)\]?(?:\[[^[\]]*\])*(?:[\s;][^=]{0,64})?=(?=.)/is
const longWord = /(\/assets\/)?[\w.~-]{41,}/g // a token has 43 characters, the longest slug 40

// Only a literal & ends a value: an encoded one, or a semicolon, may be part of a password.
function filterPart(part: string) {
  const plain = decode(part)
  if (plain === undefined) return hidden
  const named = secretName.exec(plain)
  const visible = named ? plain.slice(0, named.index + named[0].length) : plain
  const filtered = visible.replace(inPath, `$1${hidden}`).replace(longWord, (word, asset) => (asset ? word : hidden))
  if (named) return filtered + hidden
  return filtered === plain ? part : filtered
}

/** Undefined if the text is still encoded after five rounds, which legitimate URLs never are. */
function decode(text: string) {
  let plain = text
  for (let rounds = 0; rounds < 5; rounds++) {
    if (!/%[0-7][\da-f]/i.test(plain)) return plain
    plain = plain.replace(/%([0-7][\da-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return undefined
}
