import { Resolver } from 'node:dns'
import { Type } from 'typebox'
import { defineSettings, lifetime, millisecondsIn, oneOf, setting, wordsIn } from '../../plugins/settings.ts'

declare module '../../plugins/settings.ts' {
  interface OptionConfig {
    /** Undefined if workspaces have none. */
    singleSignOn: { maxMs: number; allowPrivateIssuers: boolean; dnsServers: string[] } | undefined
  }
}

defineSettings({
  variables: {
    SSO: oneOf('on', 'off'),
    SSO_MAX: Type.String({ ...lifetime('12h or 7d'), default: '24h' }),
    SSO_PRIVATE_ISSUERS: oneOf('refuse', 'allow'),
    DNS_SERVERS: setting(
      'be IP addresses of DNS servers, in brackets before a port of IPv6, such as 192.0.2.53,[2001:db8::53]:5353',
    ),
  },
  read({ SSO, SSO_MAX, SSO_PRIVATE_ISSUERS, DNS_SERVERS }) {
    if (SSO === 'off') return { singleSignOn: undefined }
    const allowPrivateIssuers = SSO_PRIVATE_ISSUERS === 'allow'
    return { singleSignOn: { maxMs: millisecondsIn(SSO_MAX), allowPrivateIssuers, dnsServers: wordsIn(DNS_SERVERS) } }
  },
  mistakes: ({ DNS_SERVERS }) =>
    DNS_SERVERS !== undefined && !areDnsServers(wordsIn(DNS_SERVERS)) ? ['DNS_SERVERS'] : [],
  questions: {
    sso: {
      word: 'SLUG',
      help: 'the provider of a workspace',
      ask: async (...asked) => (await import('./check.ts')).checkSingleSignOn(...asked),
    },
  },
})

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
