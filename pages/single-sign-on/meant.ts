/** The domain in what people paste: the address of a page, or of a person. */
export function domainMeant(typed: string) {
  const domain = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/(:\d+)?([/?#].*)?$/, '')
    .replace(/^.*@/, '')
    .replace(/^www\./i, '') // nobody has an address there
  return /^[^\s.]+(\.[^\s.]+)+\.?$/.test(domain) ? domain : typed
}

/** The issuer in what people paste: the address of its document, or one without how it begins. */
export function issuerMeant(typed: string) {
  const issuer = typed.trim().replace(/\/\.well-known\/.*$/, '')
  return /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(issuer) ? `https://${issuer}` : issuer
}
