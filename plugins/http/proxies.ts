import { isIP } from 'node:net'
import fp from 'fastify-plugin'

/** What Fastify asks of each hop on the way to the client, the nearest first. A plain number would trust nobody there. */
export const trusting = (hops: number) => hops > 0 && ((_address: string, hop: number) => hop < hops)

/** Says once each what tells that `hops` is wrong: all clients would be one to the limits, or could name themselves. */
export default fp<{ hops: number }>(
  async (app, { hops }) => {
    if (hops === 0) return
    const told = new Set<string>()
    const tellOnce = (what: string) => {
      if (told.has(what)) return
      told.add(what)
      app.log.warn(`A request came with ${what}: TRUST_PROXY must be the number of proxies in front, 0 for none`)
    }
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.headers['x-forwarded-for'] === undefined) tellOnce('no X-Forwarded-For')
      else if (!isIP(request.ip)) tellOnce('an X-Forwarded-For that is no address')
      done()
    })
  },
  { name: 'proxies' },
)
