import type { FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../../plugins/http/errors.ts'
import { instrument } from '../../plugins/instrumentation.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import type { SecurityEvents } from '../../plugins/security/log.ts'
import { paths } from '../paths.ts'
import type { Client } from './clients/client.ts'
import { Cancelled, InvalidResponse, ProviderUnavailable } from './clients/failures.ts'
import { type SignInIntent, saveState } from './cookies.ts'
import type { connect } from './identities.ts'

export type Clients = Map<string, Client>

/** Finds the provider that a URL names, also as a guard: 404 for providers that are not configured. */
export const clientIn = (clients: Clients) => {
  const of = (request: FastifyRequest) => {
    const client = clients.get((request.params as { provider: string }).provider)
    if (!client) throw new NotFound()
    return client
  }
  return { of, require: async (request: FastifyRequest) => void of(request) }
}

type Outcome = Exclude<SecurityEvents['provider'], 'disconnected'>

export async function redirectToProvider(reply: FastifyReply, client: Client, intent: SignInIntent) {
  try {
    return reply.external(String(await client.begin(saveState(reply, client.id, intent))))
  } catch (error) {
    return refuse(reply, client, intent, error)
  }
}

/** Redirects back to where the person came from. Throws errors that are not about the provider. */
export function refuse(reply: FastifyReply, client: Client, intent: SignInIntent, error: unknown) {
  const [outcome, alert] = judge(client, error)
  report(reply, client, outcome, error instanceof InvalidResponse ? { reason: error.reason } : {})
  const back = intent.session ? paths.security() : paths.signIn(intent.invitation, intent.returnTo)
  return reply.alert(alert).redirect(back.url)
}

function judge({ name }: Client, error: unknown): [Outcome, Text] {
  if (error instanceof Cancelled) return ['cancelled', text('You cancelled {name}', { name })]
  if (error instanceof ProviderUnavailable)
    return ['unreachable', text("{name} can't be reached. Try again later", { name })]
  if (error instanceof InvalidResponse) return ['refused', text("{name} didn't work. Try again", { name })]
  throw error
}

export function report(
  { request }: FastifyReply,
  { id: provider }: Client,
  outcome: Outcome,
  about: { user?: number; reason?: string } = {},
) {
  instrument('provider', { provider, outcome })
  request.security('provider', outcome, { ...about, provider })
}

export function answerConnection(reply: FastifyReply, { name }: Client, outcome: Awaited<ReturnType<typeof connect>>) {
  if (outcome === 'taken') reply.alert(text('That {name} account is connected to somebody else', { name }))
  else if (outcome === 'full') reply.alert(text('You have 10 connected accounts already'))
  else if (outcome !== 'spent') reply.notice(text('{name} is connected', { name }))
  return reply.redirect(paths.security().url)
}
