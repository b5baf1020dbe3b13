import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Way } from '../../plugins/security/proofs.ts'

// The state between a right password and a right code. It only identifies who may enter the code. No guard, page or
// stream accepts it.

const cookie = 'pending_sign_in'
const tenMinutes = 600 // seconds
const longest = 2000

export function givePending(reply: FastifyReply, token: string, way: Way) {
  const encoded = Buffer.from(JSON.stringify(way)).toString('base64url')
  // Browsers reject a cookie that is too long, which would prevent the sign-in.
  return reply.giveSignedCookie(cookie, `${token}~${encoded.length > longest ? '' : encoded}`, { maxAge: tenMinutes })
}

export function pendingOf(request: FastifyRequest): { token: string; way: Way } {
  const [token = '', encoded = ''] = request.signedCookie(cookie)?.split('~') ?? []
  return { token, way: encoded ? JSON.parse(Buffer.from(encoded, 'base64url').toString()) : {} }
}

export const takePending = (reply: FastifyReply) => reply.takeCookie(cookie)
