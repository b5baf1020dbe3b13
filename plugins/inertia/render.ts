import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Document, Errors, Flash, FlashState, FlashStore, Page, Rendered } from './pages.ts'
import { always, Prop } from './props.ts'
import { reloadDocument } from './redirects.ts'
import { putAt, resolve, type Tree } from './resolve.ts'
import type { Renderer } from './ssr.ts'
import { isPrefetch, readVisit } from './visit.ts'

export interface InertiaOptions {
  /** The public origin. URLs are built from it and never from the Host header, which clients control. */
  origin: string
  version: string
  encryptHistory: boolean
  flashStore: FlashStore
  document: Document
  renderer?: Renderer | undefined
  contextOf?: (request: FastifyRequest) => object
  /** Aborted when the client has left, so that nothing is rendered for it. */
  clientSignal?: (reply: FastifyReply) => AbortSignal
  isOutdated?: (request: FastifyRequest) => boolean
}

type Rendering = InertiaOptions & { shares: Shares; additions: Additions }

export async function renderPage(rendering: Rendering, reply: FastifyReply, component: string, pageProps: object) {
  const { request } = reply
  const { flashStore, shares, additions, version, encryptHistory, isOutdated } = rendering
  if (request.inertia && request.method === 'GET' && isOutdated?.(request))
    return reloadDocument(reply, rendering.origin)
  const stored = flashFor(request, flashStore)
  const { clearHistory, preserveFragment } = stored ?? {}
  const shared = await sharedWith(request, shares)

  const tree: Tree = { errors: always(errorsFor(request, stored)) }
  for (const [name, prop] of shared) tree[name] = prop
  for (const [name, prop] of Object.entries(pageProps)) putAt(tree, name, prop)
  for (const add of additions.get(component) ?? [])
    for (const [name, prop] of Object.entries(await add(request, reply))) putAt(tree, name, prop)

  const { props, labels } = await resolve(tree, readVisit(request.headers, component), request.log)
  const page: Page = {
    component,
    props,
    url: addressOf(request),
    version,
    sharedProps: ['errors', ...instantProps(shared)],
    ...(encryptHistory && { encryptHistory }),
    flash: stored ? flashIn(stored, reply.pageFlash) : {},
    ...(clearHistory && { clearHistory }),
    ...(preserveFragment && { preserveFragment }),
    ...labels,
  }
  const payload = request.inertia ? JSON.stringify(page) : await document(rendering, reply, page)
  if (stored) flashStore.clear(request, reply)
  return send(reply, payload)
}

/**
 * Undefined for a prefetch, a HEAD or a background reload: the person might never see it there, and the next visit
 * would miss it.
 */
const flashFor = (request: FastifyRequest, store: FlashStore) =>
  request.method === 'HEAD' || isPrefetch(request) || isBackground(request) ? undefined : store.read(request)

// A partial reload that follows a redirect comes without `no-cache` and counts as a visit.
const isBackground = ({ headers }: FastifyRequest) =>
  headers['x-inertia-partial-component'] !== undefined && String(headers['cache-control']).includes('no-cache')

// As the browser wrote it: any other spelling adds an entry to its history. `//` would name another host.
const addressOf = ({ originalUrl, url }: FastifyRequest) => (/^\/(?!\/)/.test(originalUrl) ? originalUrl : url)

function errorsFor({ headers }: FastifyRequest, stored: FlashState | undefined): Errors | Record<string, Errors> {
  const bag = headers['x-inertia-error-bag']
  if (!stored?.errors) return {}
  return bag === undefined ? stored.errors : { [String(bag)]: stored.errors }
}

const flashIn = ({ notice, alert }: FlashState, now: Flash | null): Flash => ({
  ...(notice !== undefined && { notice }),
  ...(alert !== undefined && { alert }),
  ...now,
})

async function document({ document, renderer, contextOf, clientSignal }: Rendering, reply: FastifyReply, page: Page) {
  const rendered = await renderer?.render(page, {
    context: contextOf?.(reply.request),
    client: clientSignal?.(reply), // made only where something waits for it: aborting it is 5 % of a page
  })
  return document(reply, rendered ?? unrendered(page), page.component)
}

export const unrendered = (page: Page): Rendered => ({
  head: [],
  body: `<script data-page="app" type="application/json">${embed(page)}</script><div id="app"></div>`,
})

// Browsers do not decode entities inside a script, but `<` could close it or open a comment. `/` is escaped because the
// client's own renderer does so.
const embed = (page: Page) => JSON.stringify(page).replaceAll('/', '\\/').replaceAll('<', '\\u003c')

function send(reply: FastifyReply, payload: string) {
  if (reply.request.inertia) reply.header('x-inertia', 'true').type('application/json; charset=utf-8')
  else reply.type('text/html; charset=utf-8')

  return reply.header('cache-control', 'max-age=0, private, must-revalidate').send(payload)
}

export type Shares = Map<string, (request: FastifyRequest) => unknown>

/** What options add to pages of others, by the name of the page. */
export type Additions = Map<string, ((request: FastifyRequest, reply: FastifyReply) => object | Promise<object>)[]>

type SharedProp = [name: string, prop: unknown]

async function sharedWith(request: FastifyRequest, shares: Shares) {
  const props = await Promise.all(
    Array.from(shares, async ([name, share]): Promise<SharedProp> => [name, await share(request)]),
  )
  return props.filter(([, prop]) => prop !== undefined)
}

/** Shared props that the client may show before the response arrives. */
const instantProps = (shared: SharedProp[]) => shared.filter(([, prop]) => !isExcluded(prop)).map(([name]) => name)

/** The client keeps once props by itself, and closures are computed for one page alone. */
function isExcluded(prop: unknown) {
  if (!(prop instanceof Prop)) return typeof prop === 'function'
  const { once, delivery } = prop.traits
  return once !== undefined || delivery === 'optional'
}
