import type { FastifyReply, FastifyRequest } from 'fastify'
import { Invalid } from '../../plugins/forms/index.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { Cancelled, InvalidResponse, ProviderUnavailable } from '../../plugins/openid/failures.ts'
import type { SecurityEvents } from '../../plugins/security/log.ts'
import { paths } from '../paths.ts'
import { Rejected } from './addresses.ts'
import { type Connected, recordFailure } from './connections.ts'
import { singleSignOnPaths } from './paths.ts'

export const missing = text('There is no single sign-on')

export const noSingleSignOn = ({ auth }: FastifyRequest, reply: FastifyReply) =>
  auth ? reply.redirect(paths.home().url) : reply.alert(missing).redirect(singleSignOnPaths.singleSignOnByEmail().url)

/** The page of the workspace whose single sign-on a request is about. */
export const startPage = ({ params }: FastifyRequest, start?: Connected) =>
  singleSignOnPaths.singleSignOn(start?.account.slug ?? (params as { slug: string }).slug).url

type Failed = { start: Connected | undefined; error: unknown; allowPrivate: boolean }

/** Leads back to where it began. Throws errors that are not about single sign-on. */
export async function refuse(request: FastifyRequest, reply: FastifyReply, { start, error, allowPrivate }: Failed) {
  const { outcome, reason, alert } = decide(error)
  request.security('sso', outcome, { reason, ...(start && { account: start.account.id }) })
  const told = outcome === 'unreachable' ? toldOwner(reason, allowPrivate) : reason
  if (start) await recordFailure(request.server, start.connection, told)
  return reply.alert(alert).redirect(startPage(request, start))
}

/**
 * Why a provider is out of reach, as far as it tells nothing of our network: which names and private addresses there are,
 * and what they answer.
 */
export function toldOwner(reason: string, allowPrivate: boolean) {
  const isOfPublicAddress = !allowPrivate && ['late', 'refused', 'tls'].includes(reason)
  return isOfPublicAddress || reason.startsWith('it_answers') ? reason : 'unreachable'
}

type Refusal = { outcome: SecurityEvents['sso']; reason: string; alert: Text }

/** Throws errors that are not about single sign-on. */
function decide(error: unknown): Refusal {
  if (error instanceof Rejected) return { outcome: 'refused', reason: error.code, alert: error.reason }
  if (error instanceof Cancelled)
    return { outcome: 'cancelled', reason: 'cancelled', alert: text('You cancelled single sign-on') }
  if (error instanceof ProviderUnavailable) {
    const alert = text("Your provider can't be reached. Try again later")
    return { outcome: 'unreachable', reason: error.reason, alert }
  }
  const alert = text("Single sign-on didn't work. Try again")
  if (error instanceof InvalidResponse) return { outcome: 'refused', reason: error.reason, alert }
  // They signed up elsewhere meanwhile.
  if (error instanceof Invalid) return { outcome: 'refused', reason: 'changed_meanwhile', alert }
  throw error
}
