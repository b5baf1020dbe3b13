import type { FastifyReply, FastifyRequest } from 'fastify'
import { text } from '../../plugins/languages/index.ts'
import { paths } from '../paths.ts'
import { singleSignOnPaths } from './paths.ts'

export const missing = text('There is no single sign-on')

export const noSingleSignOn = ({ auth }: FastifyRequest, reply: FastifyReply) =>
  auth ? reply.redirect(paths.home().url) : reply.alert(missing).redirect(singleSignOnPaths.singleSignOnByEmail().url)

export const refusals = {
  cancelled: text('You cancelled single sign-on'),
  refused: text("Single sign-on didn't work. Try again"),
  unreachable: text("Your provider can't be reached. Try again later"),
}

/**
 * Why a provider is out of reach, as far as it tells nothing of our network: which names and private addresses there are,
 * and what they answer.
 */
export function toldOwner(reason: string, allowPrivate: boolean) {
  const isOfPublicAddress = !allowPrivate && ['late', 'refused', 'tls'].includes(reason)
  return isOfPublicAddress || reason.startsWith('it_answers') ? reason : 'unreachable'
}
