import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const maxLength = 253
const isDomain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

/** The domain in lower case, with A-labels (RFC 5890). Undefined for what is no domain, such as an address or a URL. */
export function domainIn(typed: string) {
  const name = typed.trim()
  if (/[/?#:@%\\]/.test(name)) return undefined // of which the URL parser would keep the part that is a domain
  const domain = domainToASCII(name)
  return isDomain.test(domain) && domain.length <= maxLength && isIP(domain) === 0 ? domain : undefined
}

const freeMail = new Set([
  'aol.com',
  'gmail.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  't-online.de',
  'web.de',
  'yahoo.com',
  'yandex.ru',
])

/** Whether everybody can have an address there, so that it is no company's. */
export const isFreeMail = (domain: string) => freeMail.has(domain)

/** The domain of an email address, as domains of workspaces are written. */
export const domainOf = (email: string) => domainIn(email.slice(email.lastIndexOf('@') + 1))

/** The TXT record that proves a domain, whose random part is stored. */
export const recordOf = ({ domain, record }: { domain: string; record: string }) => ({
  name: `_accounts.${domain}`,
  value: `accounts-domain=${record}`,
})
