import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInContext } from '../../plugins/security/ways-in.ts'

// The state between a right password and a right code. It only identifies who may enter the code. No guard, page or
// stream accepts it.

const cookie = 'pending_sign_in'
const maxAgeSeconds = 600
const maxContextChars = 2000

export function setPendingSignIn(reply: FastifyReply, token: string, context: SignInContext) {
  const encoded = encode(context)
  // Browsers reject a cookie that is too long, which would prevent the sign-in.
  const kept = encoded.length > maxContextChars ? encode({ method: context.method }) : encoded
  return reply.setSignedCookie(cookie, `${token}~${kept}`, { maxAge: maxAgeSeconds })
}

const encode = (context: object) => Buffer.from(JSON.stringify(context)).toString('base64url')

export function pendingSignInOf(request: FastifyRequest): { token: string; context: SignInContext } {
  const [token = '', encoded = ''] = request.signedCookie(cookie)?.split('~') ?? []
  return { token, context: encoded ? JSON.parse(Buffer.from(encoded, 'base64url').toString()) : {} }
}

export const clearPendingSignIn = (reply: FastifyReply) => reply.clearHostCookie(cookie)
