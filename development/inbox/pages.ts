import formbody from '@fastify/formbody'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Letters } from './letters.ts'
import { letterPage, listPage } from './views.ts'

/** The developer's inbox: a list, each mail, and a button to delete all. */
export const inboxPages =
  (letters: Letters): FastifyPluginAsync =>
  async (app) => {
    await app.register(formbody)

    app.get('/dev/inbox', async (_request, reply) => page(reply, listPage(await letters.all(), reply.nonce)))

    app.post('/dev/inbox/delete', async (_request, reply) => {
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

type Letter = { Params: { id: string } }

const page = (reply: FastifyReply, html: string) =>
  reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(html)
