import { BlockList, isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, fetch as fetchWith, type RequestInit as UndiciInit } from 'undici'
import { createLookup, runWithSignal } from './lookup.ts'

const maxConnectionBytes = 1_310_720 // a mebibyte, and what frames it

/** A URL that leads to this machine or its network, or is no https. Nothing was sent there. */
class ForbiddenUrl extends Error {
  override name = 'ForbiddenUrl'
}

type GuardOptions = {
  /** Also fetches from private addresses, and over http from this machine. */
  allowPrivate?: boolean
  lookup?: LookupFunction
}

/**
 * A fetch for URLs that users name: https, public addresses alone, and no proxy, so that nobody reaches the database or
 * the cloud's metadata through us (OWASP, Server-Side Request Forgery Prevention). Names take two seconds at most, and
 * none of the process's threads. Rejects with ForbiddenUrl, or with an error that has it as a cause. The caller limits
 * size and time, and follows no redirects.
 */
export function guardedFetch({ allowPrivate = false, lookup = createLookup() }: GuardOptions = {}): typeof fetch {
  // Sockets connect to what this lookup returned, so a name that changes between two looks gains nothing.
  const publicLookup: LookupFunction = (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const list = Array.isArray(addresses) ? addresses : []
      if (error) return done(error, [])
      if (!list.every(({ address }) => isPublic(address))) return done(new ForbiddenUrl('a private address'), [])
      done(null, list)
    })
  const connectTo = buildConnector({ lookup: allowPrivate ? lookup : publicLookup, allowH2: false })
  const dispatcher = new Agent({
    maxRequestsPerClient: 1, // so that each answer is counted by itself
    allowH2: false, // which has more ways to keep us busy
    connect: (options, done) =>
      connectTo(options, (error, socket) => {
        if (error) return done(error, null)
        endIfEndless(socket)
        done(null, socket)
      }),
  })

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!isAllowed(url, allowPrivate)) throw new ForbiddenUrl('no https, or a private address')
    const options = { ...(init as UndiciInit), redirect: 'manual', dispatcher } as const
    const response = await runWithSignal(init?.signal, () => fetchWith(url, options))
    return response as unknown as Response // its types differ from those of Node's own copy
  }
}

/** Informational answers, extensions of chunks and the like cost much, and are part of no body that a caller counts. */
function endIfEndless(socket: Socket) {
  socket.on('readable', () => {
    if (socket.bytesRead > maxConnectionBytes) socket.destroy()
  })
}

/** Sockets do not look up literal addresses, so these are checked here, as the URL parser normalized them. */
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
