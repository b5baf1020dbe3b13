import { Resolver } from 'node:dns'
import { lifetimeOr, millisecondsIn, oneOf, setting, wordsIn } from '../../plugins/settings.ts'

export const singleSignOnSettings = {
  SSO: oneOf('on', 'off'),
  SSO_MAX: lifetimeOr('12h or 7d', '24h'),
  SSO_PRIVATE_ISSUERS: oneOf('refuse', 'allow'),
  DNS_SERVERS: setting(
    'be IP addresses of DNS servers, in brackets before a port of IPv6, such as 192.0.2.53,[2001:db8::53]:5353',
  ),
}

type Variables = {
  SSO: string
  SSO_MAX: string
  SSO_PRIVATE_ISSUERS: string
  DNS_SERVERS?: string
}

/** Undefined if workspaces have none. */
export const readSingleSignOn = ({ SSO, SSO_MAX, SSO_PRIVATE_ISSUERS, DNS_SERVERS }: Variables) => ({
  singleSignOn:
    SSO === 'off'
      ? undefined
      : {
          maxMs: millisecondsIn(SSO_MAX),
          allowPrivateIssuers: SSO_PRIVATE_ISSUERS === 'allow',
          dnsServers: wordsIn(DNS_SERVERS),
        },
})

export const mistakesInSingleSignOn = ({ DNS_SERVERS }: Variables) =>
  DNS_SERVERS !== undefined && !areDnsServers(wordsIn(DNS_SERVERS)) ? (['DNS_SERVERS'] as const) : []

// Without brackets, the port that somebody meant is the end of an IPv6 address.
const swallowsPort = /^[^[]*::.*[^:]:(53|853|5353)$/
const hasPortZero = /[.\]].*:0+$/

/** `ip`, `ip:port` or `[ip]:port` each, and at least one. */
function areDnsServers(servers: string[]) {
  if (servers.some((server) => swallowsPort.test(server) || hasPortZero.test(server))) return false
  try {
    new Resolver().setServers(servers)
    return servers.length > 0
  } catch {
    return false
  }
}
