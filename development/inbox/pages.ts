import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import bodies from '../../plugins/http/bodies.ts'
import type { Letters } from './letters.ts'
import { letterPage, listPage } from './views.ts'

/**
 * The developer's inbox: a list, each mail, and a button to delete all. Mails contain links that sign in, so a site
 * whose name leads to this machine (DNS rebinding) may not read them: only loopback names are answered.
 */
export const inboxPages =
  (letters: Letters, token: string): FastifyPluginAsync =>
  async (app) => {
    await app.register(bodies)

    app.addHook('onRequest', (request, reply, done) => {
      // not `request.hostname`, which believes X-Forwarded-Host
      isLoopback(request.headers.host) ? done() : reply.callNotFound()
    })

    app.get('/dev/inbox', async (_request, reply) => page(reply, listPage(await letters.all(), reply.nonce, token)))

    app.post<{ Body?: { token?: unknown } }>('/dev/inbox/delete', async (request, reply) => {
      if (request.body?.token !== token) return reply.sendError(422)
      await letters.deleteAll()
      return reply.redirect('/dev/inbox')
    })

    app.get<Letter>('/dev/inbox/:id(^\\d+-[0-9a-f]+$)', async (request, reply) => {
      const letter = await letters.one(request.params.id)
      if (!letter) return reply.callNotFound()
      return page(reply, letterPage(letter, reply.nonce))
    })

    app.get<Letter>('/dev/inbox/:id(^\\d+-[0-9a-f]+$)/html', async (request, reply) => {
      const letter = await letters.one(request.params.id)
      if (!letter?.html) return reply.callNotFound()
      // The mail may use its own styles but no scripts. Only our page may frame it, and links open in the top window.
      reply.header('x-frame-options', 'SAMEORIGIN')
      reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'")
      return page(reply, letter.html.replace('<head>', '<head><base target="_top">'))
    })
  }

const isLoopback = (host = '') => /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host)

type Letter = { Params: { id: string } }

const page = (reply: FastifyReply, html: string) =>
  reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html)
