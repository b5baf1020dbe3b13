import { AsyncLocalStorage } from 'node:async_hooks'
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP, type LookupFunction } from 'node:net'

const totalMs = 2_000
const tryMs = 700
const maxAddresses = 8 // of a family: a server may answer with thousands

const signals = new AsyncLocalStorage<AbortSignal>()

/** Runs what looks up names, which stops with the signal. */
export const runWithSignal = <Result>(signal: AbortSignal | undefined | null, work: () => Result) =>
  signal ? signals.run(signal, work) : work()

/**
 * A lookup for sockets that is no `dns.lookup`: that is getaddrinfo in the process's few threads, where names that
 * nobody answers make files, passwords and all other names wait. Knows /etc/hosts, whole names and DNS.
 */
export function createLookup(servers: string[] = []): LookupFunction {
  return (hostname, { all }, done) => {
    addressesOf(hostname, servers).then(
      (addresses) => {
        const [first] = addresses
        if (all || !first) done(null, addresses)
        else done(null, first.address, first.family)
      },
      (error) => done(error, []),
    )
  }
}

async function addressesOf(hostname: string, servers: string[]) {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const local = addressesInHosts(name)
  return local.length > 0 ? local : askDns(name, servers)
}

/** What it says of a name, and of localhost in any case (RFC 6761, 6.3). */
function addressesInHosts(name: string): LookupAddress[] {
  const found = linesOf('/etc/hosts').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(name) ? [addressOf(address)] : []
  })
  const isLocal = name === 'localhost' || name.endsWith('.localhost')
  return found.length > 0 || !isLocal ? found : ['127.0.0.1', '::1'].map(addressOf)
}

const addressOf = (address: string): LookupAddress => ({ address, family: isIP(address) })

function linesOf(file: string) {
  try {
    return readFileSync(file, 'utf8').split('\n') // synchronously, since the threads that would read it may be busy
  } catch {
    return []
  }
}

/** Both families in two seconds, or what is known of them by then. */
async function askDns(name: string, servers: string[]) {
  const resolver = new Resolver({ timeout: tryMs, tries: 3 })
  if (servers.length > 0) resolver.setServers(servers)
  const signal = signals.getStore()
  const cancel = () => resolver.cancel()
  const timer = setTimeout(cancel, totalMs)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value.slice(0, maxAddresses) : []))
    const [first] = answers
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason
    return addresses.map(addressOf)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}
