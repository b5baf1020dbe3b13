import type { FastifyRequest } from 'fastify'
import { onlyToken } from '../forms/parameters.ts'
import { prefersHtml } from '../http/errors.ts'
import { isPrefetch } from '../inertia/index.ts'

/** The page that the person requested, or whose form they submitted. */
export function returnPath(request: FastifyRequest, origin: string) {
  if (!isPage(request)) return undefined
  return short(request.method === 'GET' ? ownPath(origin + request.originalUrl, origin) : refererOf(request, origin))
}

/** The `return_to` of a link or a form, if it is a page of ours. One that is given twice is none. */
export const returnToIn = ({ return_to }: { return_to?: unknown }, origin: string) =>
  short(ownPath(short(onlyToken(return_to)), origin))

const short = (path: string | undefined) => (path && path.length <= maxPathLength ? path : undefined)

const isPage = (request: FastifyRequest) =>
  (request.inertia || request.headers.accept?.includes('text/html') === true) &&
  request.method !== 'HEAD' &&
  !isPrefetch(request)

/** Whether the browser replaces the page by the answer, so that the person sees it before they go on. */
export const isPageLoad = (request: FastifyRequest) =>
  request.method === 'GET' &&
  !request.inertia &&
  ['document', undefined].includes(request.headers['sec-fetch-dest'] as string | undefined) &&
  prefersHtml(request.headers.accept) &&
  !isPrefetch(request)

const maxPathLength = 1_000 // characters; a cookie holds about four thousand

/** The path and query of a URL on our own origin, or undefined for any other URL. A relative path counts as our own. */
function ownPath(address: string | undefined, origin: string) {
  const url = address ? URL.parse(address, origin) : null
  // A blob: URL has the origin that made it, and another URL as its path.
  if (url?.protocol === 'blob:') return undefined
  // Browsers resolve `//evil.example` and `/\evil.example` to another host, even if the slash was encoded.
  if (url?.origin !== origin || /^\/(?:[/\\]|%5c|%2f)/i.test(url.pathname)) return undefined
  return url.pathname + url.search
}

/** Path and query of the Referer if it is on our own origin, which prevents open redirects. */
export const refererOf = ({ headers }: FastifyRequest, origin: string) =>
  URL.canParse(headers.referer ?? '') ? ownPath(headers.referer, origin) : undefined
