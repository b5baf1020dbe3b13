import { readFileSync } from 'node:fs'
import t from 'tap'
import { type Static, type TProperties, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse } from 'yaml'

const only = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })
const named = <Properties extends TProperties>(properties: Properties) => Type.Record(Type.String(), only(properties))
const Name = Type.String()
const Duration = Type.String({ pattern: '^\\d+(ms|s)$' })

/** The part of the dynamic configuration of Traefik 3 that the sample uses, after its reference. */
const Dynamic = only({
  http: only({
    routers: named({
      rule: Type.String({ pattern: '^Host\\(`[a-z.]+`\\)$' }),
      entryPoints: Type.Array(Name),
      service: Name,
      middlewares: Type.Array(Name),
      tls: only({ certResolver: Name }),
    }),
    middlewares: named({ retry: only({ attempts: Type.Integer(), initialInterval: Duration }) }),
    services: named({
      loadBalancer: only({
        servers: Type.Array(only({ url: Type.String({ pattern: '^http://[\\d.]+:80$' }) }), { minItems: 2 }),
        healthCheck: only({ path: Type.String(), interval: Duration, timeout: Duration }),
        serversTransport: Name,
      }),
    }),
    serversTransports: named({
      forwardingTimeouts: only({ dialTimeout: Duration, responseHeaderTimeout: Duration, idleConnTimeout: Duration }),
    }),
  }),
})

const sample: Static<typeof Dynamic> = parse(
  readFileSync(new URL('../../docs/proxies/traefik.yml', import.meta.url), 'utf8'),
)

t.test('the sample for Traefik has only keys and values that Traefik knows', async (t) => {
  t.same([...Value.Errors(Dynamic, sample)], [])
})

t.test('its parts fit together', async (t) => {
  const { routers, middlewares, services, serversTransports } = sample.http
  for (const router of Object.values(routers)) {
    t.hasProps(services, [router.service])
    t.hasProps(middlewares, router.middlewares)
  }
  for (const { loadBalancer } of Object.values(services)) {
    t.hasProps(serversTransports, [loadBalancer.serversTransport])
    t.equal(loadBalancer.healthCheck.path, '/up/ready')
  }
})
