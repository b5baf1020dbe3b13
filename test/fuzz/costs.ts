import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Browser } from '../helpers/browser.ts'

let clients = 0

/** Sends a request from an address of its own, so that no limit refuses it, and returns the status. */
export async function send(app: FastifyInstance, browser: Browser | undefined, options: InjectOptions) {
  clients++
  const response = await app.inject({
    ...options,
    payloadAsStream: true, // event streams never end
    headers: {
      ...browser?.headers,
      'x-forwarded-for': `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`,
      cookie: browser?.cookieHeader(),
      ...browser?.csrfHeader(),
      ...options.headers,
    },
  })
  const stream = response.stream()
  if (String(response.headers['content-type']).startsWith('text/event-stream')) stream.destroy()
  else for await (const _ of stream);
  return response.statusCode
}

/** Milliseconds of processor that this thread needs for a request, on average of a few. */
export async function cost(request: () => Promise<unknown>, times: number) {
  const before = process.threadCpuUsage()
  for (let n = 0; n < times; n++) await request()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / times
}
