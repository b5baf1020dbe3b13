import { setTimeout as sleep } from 'node:timers/promises'
import { headerOf, type Person, signUp, visit } from '../../test/helpers/visitor.ts'
import { senders } from './options.ts'
import type { Stage } from './stage.ts'

/** The texts that acknowledged writes leave in the database. */
export const stored = {
  workspace: `select details ->> 'to' as text from activities where type = 'account_renamed'`,
  profile: `select details ->> 'to' as text from activities where type = 'profile_changed'`,
  session: 'select token as text from sessions',
  user: 'select email as text from users',
  invitation: 'select email as text from invitations',
}
type Kind = keyof typeof stored

/** Times are those of performance.now(). */
export type Write = { kind: Kind; text: string; begun: number; ended: number; isAcknowledged: boolean }

type Form = { kind: Kind; text: string; path: string; leadsTo?: string; cookie: string; body: object; origin?: string }

const people = 12

/** People who change things all the time, until `stop`. Somebody listens to changes made through another server. */
export async function startVisitors(stage: Stage) {
  const { app, other } = stage
  const writes: Write[] = []
  const heard = new Map<string, number>()
  const stopping = new AbortController()
  let count = 0

  async function write({ kind, text, path, leadsTo, cookie, body, origin = app.url }: Form) {
    const begun = performance.now()
    const method = kind === 'workspace' || kind === 'profile' ? 'PATCH' : 'POST'
    const headers = {
      cookie,
      'x-xsrf-token': /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1] ?? '',
      'content-type': 'application/json',
      accept: 'application/json', // so that mistakes and exceeded limits are no redirects
      'x-forwarded-for': `10.1.${count >> 8}.${count & 255}`,
      'x-tab-id': text.replace(/\W/g, '-'),
    }
    const giveUp = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const
    const send = (to: string) => fetch(to + path, { method, headers, body: JSON.stringify(body), ...giveUp })
    // A proxy asks another server, too, where a connection is refused.
    const answer = await send(origin)
      .catch((error) => (error.cause?.code === 'ECONNREFUSED' ? send(other.url) : undefined))
      .catch(() => undefined)
    const token = /session_token=([\w-]+)/.exec(answer?.headers.getSetCookie().join() ?? '')?.[1]
    const isRight = leadsTo ? answer?.headers.get('location') === leadsTo : token !== undefined
    const written = { kind, text: kind === 'session' ? (token ?? '') : text, begun, ended: performance.now() }
    writes.push({ ...written, isAcknowledged: answer?.status === 302 && isRight })
  }

  function change(kind: 'workspace' | 'profile' | 'invitation', { slug, cookie }: Person, origin?: string) {
    const text = `${kind}-${++count}@example.com` // also a name
    const place = { workspace: `/${slug}/settings`, profile: '/settings/profile', invitation: `/${slug}/members` }[kind]
    const path = kind === 'invitation' ? `/${slug}/invitations` : place
    const body = kind === 'invitation' ? { email: text, role: 'member' } : { name: text }
    return write({ kind, text, path, leadsTo: place, cookie, body, ...(origin && { origin }) })
  }

  async function enter(kind: 'user' | 'session', email: string, password: string) {
    const cookie = headerOf((await visit(app.url)).cookies)
    const body = { email, password, ...(kind === 'user' && { name: 'Ada', password_confirmation: password }) }
    await write({ kind, text: email, path: kind === 'user' ? '/sign_up' : '/sign_in', cookie, body })
  }

  async function listen({ slug, cookie }: Person) {
    const identifiers = JSON.stringify([JSON.stringify({ account: slug, channel: 'AccountChannel' })])
    const address = `${app.url}/live?s=${encodeURIComponent(identifiers)}`
    const { body } = await fetch(address, { headers: { cookie }, signal: stopping.signal })
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const [, tab = ''] of piece.matchAll(/"tab_id":"([\w-]+)"/g)) heard.set(tab, performance.now())
  }

  async function repeat(pauseMs: number, act: () => PromiseLike<unknown>) {
    while (!stopping.signal.aborted) {
      await Promise.resolve(act()).catch(() => {})
      await sleep(pauseMs)
    }
  }

  const all: Person[] = []
  for (let n = 0; n <= people; n++) all.push(await signUp(app.url, `regular-${n}@example.com`, `10.0.0.${n}`))
  for (const { addTo } of senders) for (const person of all) await addTo(stage, person)
  const [listener, first, ...others] = all as [Person, Person, ...Person[]]
  const busy = [
    ...others.map((person, n) => repeat(50, () => change(n % 2 ? 'workspace' : 'profile', person))),
    repeat(250, () => change('workspace', listener, other.url)),
    repeat(1000, () => listen(listener)), // again when it ends, as a browser does
    // By turns, since a workspace refuses the 501st, which leads where a sent one does.
    repeat(500, () => change('invitation', all[count % all.length] as Person)),
    repeat(500, () => enter('user', `visitor-${++count}@example.com`, first.password)),
    repeat(500, () => enter('session', first.email, first.password)),
    repeat(500, () => stage.operator`delete from rate_limits`),
  ]
  return {
    writes,
    /** When a change was heard that began after `since`. */
    heardAfter: (since: number) =>
      writes.flatMap(({ text, begun }) => (begun > since && heard.get(text.replace(/\W/g, '-'))) || [])[0],
    async stop() {
      stopping.abort()
      await Promise.all(busy)
    },
  }
}
