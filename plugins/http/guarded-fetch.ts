import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'
import { Agent, fetch as fetchWith, type RequestInit as UndiciInit } from 'undici'

/** A URL that leads to this machine or its network, or is no https. Nothing was sent there. */
class ForbiddenUrl extends Error {}

type GuardOptions = {
  /** Also fetches from private addresses, and over http from this machine. */
  allowPrivate?: boolean
  lookup?: LookupFunction
}

/**
 * A fetch for URLs that users name: https, public addresses alone, and no proxy, so that nobody reaches the database or
 * the cloud's metadata through us (OWASP, Server-Side Request Forgery Prevention). Rejects with ForbiddenUrl, or with
 * an error that has it as a cause. The caller limits size and time, and follows no redirects.
 */
export function guardedFetch({ allowPrivate = false, lookup = systemLookup }: GuardOptions = {}): typeof fetch {
  // Sockets connect to what this lookup returned, so a name that changes between two looks gains nothing.
  const publicLookup: LookupFunction = (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const list = Array.isArray(addresses) ? addresses : []
      if (error) return done(error, [])
      if (!list.every(({ address }) => isPublic(address))) return done(new ForbiddenUrl('a private address'), [])
      done(null, list)
    })
  const dispatcher = new Agent(allowPrivate ? {} : { connect: { lookup: publicLookup } })

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isAllowed(url, allowPrivate)) throw new ForbiddenUrl('no https, or a private address')
    const options = { ...(init as UndiciInit), redirect: 'manual', dispatcher } as const
    return (await fetchWith(url, options)) as unknown as Response // its types differ from those of Node's own copy
  }
}

/** Sockets do not look up literal addresses, so these are judged here, as the URL parser normalized them. */
function isAllowed({ protocol, hostname }: URL, allowPrivate: boolean) {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (allowPrivate) return protocol === 'https:' || (protocol === 'http:' && isLoopback(address))
  return protocol === 'https:' && (isIP(address) === 0 || isPublic(address))
}

export const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '::1' || (isIP(hostname) === 4 && hostname.startsWith('127.'))

export function isPublic(address: string) {
  if (isIP(address) === 4) return !reserved.check(address, 'ipv4')
  return isIP(address) === 6 && allocated.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

const listOf = (family: 'ipv4' | 'ipv6', ranges: [string, number][], list = new BlockList()) => {
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family)
  return list
}

// The IANA registries of special-purpose addresses. All of IPv6 that the internet uses begins with 001; what is mapped,
// translated (NAT64), local or multicast does not.
const allocated = listOf('ipv6', [['2000::', 3]])
const reserved = listOf('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by the customers of a provider
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's own services
  ['169.254.0.0', 16], // link-local, where clouds serve metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast and reserved
])
listOf(
  'ipv6',
  [
    ['2001::', 23], // protocols, Teredo among them
    ['2001:db8::', 32],
    ['2002::', 16], // 6to4
    ['3fff::', 20],
  ],
  reserved,
)
