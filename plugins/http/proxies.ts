import { isIP } from 'node:net'
import fp from 'fastify-plugin'

/** Fastify calls this for each hop, nearest first. Given the plain number instead, Fastify trusts no proxy at all. */
export const trusting = (hops: number) => hops > 0 && ((_address: string, hop: number) => hop < hops)

/**
 * Warns once for each sign that `hops` is wrong. Too low, and all clients share one rate limit; too high, and clients
 * can choose their address.
 */
export default fp<{ hops: number }>(async (app, { hops }) => {
  if (hops === 0) return
  const warned = new Set<string>()
  const warnOnce = (what: string) => {
    if (warned.has(what)) return
    warned.add(what)
    app.log.warn(`A request came with ${what}: TRUST_PROXY must be the number of proxies in front, 0 for none`)
  }
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] === undefined) warnOnce('no X-Forwarded-For')
    else if (!isIP(request.ip)) warnOnce('an X-Forwarded-For that is no address')
    done()
  })
})
