/**
 * An address whose domain is in ASCII, as mail servers need it: `a@xn--bcher-kva.example` for `a@bücher.example`.
 * Chromium's email fields have it like this, Firefox's as it was typed.
 */
export function asciiAddress(address: string) {
  const [, start, domain = ''] = /^([^@]+@)((?:[\w.-]|\P{ASCII})+)$/u.exec(address) ?? []
  const url = `http://${domain}`
  if (!/\P{ASCII}/u.test(domain) || !URL.canParse(url)) return address
  return `${start}${new URL(url).hostname}`
}
