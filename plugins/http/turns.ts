import fp from 'fastify-plugin'

const perTurn = 8

/**
 * Lets only some of the requests that change something begin in a turn of the event loop. If a thousand arrive at once,
 * files, pages and health checks would otherwise wait for all of them. They begin a turn after their headers arrived,
 * so a body that was sent along is complete by then.
 */
export default fp(
  async (app) => {
    const line: (() => void)[] = []

    app.addHook('onRequest', (request, _reply, done) => {
      if (request.method === 'GET' || request.method === 'HEAD') return done()
      if (line.push(done) === 1) setImmediate(begin)
    })

    function begin() {
      for (const go of line.splice(0, perTurn)) go()
      if (line.length > 0) setImmediate(begin)
    }
  },
  { name: 'turns' },
)
