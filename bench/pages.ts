import type { Owner } from '../test/helpers/owner.ts'
import { headerOf, signUp, visit } from '../test/helpers/visitor.ts'
import { besideBare, type Load, type Row } from './load.ts'
import { startServer } from './server.ts'

export async function benchPages(owner: Owner, databaseUrl: string): Promise<Row[]> {
  const { url } = await startServer(owner, databaseUrl)
  const { url: bareUrl } = await startServer(owner, databaseUrl, {}, 'bench/bare.ts')
  const { slug, cookie, token } = await signUp(url, 'pages@example.com')
  const signed = await fetch(`${bareUrl}/cookie?token=${token}`, { method: 'POST' })
  const headers = { cookie: signed.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  const bare = (path: string) => ({ url: `${bareUrl}/${path}`, status: 200, headers })

  const html = { url: `${url}/${slug}`, status: 200, headers: { cookie, accept: 'text/html' } }
  const version = /"version":"([^"]+)"/.exec(await textOf(html))?.[1] ?? ''
  const page = { 'x-inertia': 'true', 'x-inertia-version': version, 'x-requested-with': 'XMLHttpRequest' }
  const { onceProps } = JSON.parse(await textOf({ ...html, headers: { ...html.headers, ...page } }))
  const inertia = { ...page, 'x-inertia-except-once-props': Object.keys(onceProps).join() } // as a browser asks
  const protocol = { ...html, headers: { ...html.headers, ...inertia } }
  const guest = { cookie: headerOf((await visit(url)).cookies), accept: 'text/html' }
  const signIn = { url: `${url}/sign_in`, status: 200, headers: guest }
  return [
    await besideBare('GET /{slug}, HTML', html, bare(`html/${await sizeOf(html)}/${slug}`), 0.35),
    await besideBare('GET /{slug}, protocol visit', protocol, bare(`json/${await sizeOf(protocol)}/${slug}`), 0.55),
    await besideBare('GET /sign_in of a guest', signIn, bare(`html/${await sizeOf(signIn)}`), 0.45),
  ]
}

const textOf = async ({ url, headers = {} }: Load) => (await fetch(url, { headers })).text()
const sizeOf = async (load: Load) => Buffer.byteLength(await textOf(load))

/** From a browser that knows the user. */
export async function benchSignIn(owner: Owner, databaseUrl: string): Promise<Row[]> {
  const { url } = await startServer(owner, databaseUrl)
  const { url: bareUrl } = await startServer(owner, databaseUrl, {}, 'bench/bare.ts')
  const { email, password, cookie } = await signUp(url, 'sign-in@example.com')
  const { cookies, csrf } = await visit(url)
  const known = { ...csrf, cookie: `${headerOf(cookies)}; ${/device=[^;]+/.exec(cookie)?.[0]}` }
  const load = (origin: string, headers = {}): Load => ({
    ...{ url: `${origin}/sign_in`, method: 'POST', status: 302, connections: 8, manyClients: true },
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return [await besideBare('POST /sign_in', load(url, known), load(bareUrl), 0.8)]
}
