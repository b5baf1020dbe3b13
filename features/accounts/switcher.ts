import type { FastifyInstance, FastifyRequest } from 'fastify'
import { once } from '../../plugins/inertia/index.ts'
import { accountsOf, openInvitationsTo } from './finders.ts'
import { presentReference } from './props.ts'

declare module '../../plugins/forms/flash.ts' {
  interface FlashState {
    /** What the account switcher lists has changed, so the next page sends it again. */
    listsChanged?: true
  }
}

/** For the redirect after a change of what the account switcher lists. */
export const listsChanged = { listsChanged: true } as const

const fiveMinutesMs = 300_000

/**
 * Shares the lists of the account switcher, which the browser keeps: after a change of their own they come with the
 * next page, when others change them with a live message or after five minutes, and the open switcher asks for them.
 */
export function shareLists(app: FastifyInstance) {
  const options = (request: FastifyRequest, name: string) => ({
    key: `${name}:${request.auth?.user.id}`,
    expiresInMs: fiveMinutesMs,
    fresh: app.flashStore.read(request)?.listsChanged === true,
  })
  app.share('accounts', (request) => {
    const { auth } = request
    if (!auth) return undefined
    return once(
      async () => (await accountsOf(app.db, auth.user.id)).map(presentReference),
      options(request, 'accounts'),
    )
  })
  app.share('open_invitations', (request) => {
    const { auth } = request
    if (!auth) return undefined
    const { email, verified } = auth.user
    const load = () => (verified ? openInvitationsTo(app.db, email, app.now()) : [])
    return once(load, options(request, 'open_invitations'))
  })
}
