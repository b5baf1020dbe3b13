import { randomUUID } from 'node:crypto'
import { Signer } from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import { deviceFingerprint, newDeviceId } from '../../features/auth/device.ts'
import { createUser } from '../../features/auth/sign-up.ts'
import { runWithRequest } from '../../plugins/http/request.ts'
import { csrfToken } from '../../plugins/security/csrf.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { keyRing } from '../../plugins/security/keys.ts'
import { configOf } from './app.ts'
import type { Browser } from './browser.ts'

export const password = 'correct horse battery'

let digest: Promise<string> | undefined

/** Does what follows once the form was accepted, with a password that is hashed once for all people of a process. */
export async function insertUser(app: FastifyInstance, person: { name: string; email: string }, { headers }: Browser) {
  await app.ready()
  digest ??= digestOf(password)
  const { name, email } = person
  const values = { name, email, language: 'en', passwordDigest: await digest, isVerified: false }
  const client = { ipAddress: headers['x-forwarded-for'] ?? '', userAgent: headers['user-agent'] ?? '' }
  return new Promise<Awaited<ReturnType<typeof createUser>>>((resolve, reject) => {
    // Activities take the client from the request.
    const request = { ip: client.ipAddress, headers, routeOptions: { config: {} }, queries: { count: 0, ms: 0 } }
    runWithRequest(request as unknown as FastifyRequest, () => {
      createUser(app, { ...values, factors: { firstFactor: 'password' } }, client).then(resolve, reject)
    })
  })
}

/** The cookies of a browser in which this user has just signed in. */
export function signedInCookies(app: FastifyInstance, user: User, session: string) {
  const { secretKeyBase, previousSecretKeyBase, secure } = configOf(app)
  const keys = keyRing(secretKeyBase, previousSecretKeyBase)
  const signer = new Signer(keys('cookies').map((key) => key.export().toString('base64')))
  const prefix = secure ? '__Host-' : ''
  const signed = (name: string, value: string): [string, string] => {
    const signature = signer.sign(`${name}=${value}`).slice(name.length + 1)
    return [prefix + name, encodeURIComponent(signature)]
  }
  const secret = randomUUID()
  return [
    signed('session_token', session),
    signed('device', [newDeviceId(), deviceFingerprint(user)].join('_')),
    signed('csrf_secret', secret),
    ['XSRF-TOKEN', csrfToken(keys('csrf')[0], secret, session)] as const,
  ]
}
