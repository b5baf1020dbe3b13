/** A user with an account, and the cookies and CSRF token of their browser. */
export type Person = { email: string; password: string; slug: string; token: string; cookie: string }

/** Opens a page like a browser would and returns its cookies. */
export async function visit(url: string) {
  const response = await fetch(`${url}/sign_in`)
  const cookies = cookiesOf(response)
  return { html: await response.text(), cookies, csrf: { 'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '' } }
}

export async function signUp(url: string, email = 'ada@example.com', client = '127.0.0.1'): Promise<Person> {
  const { cookies, csrf } = await visit(url)
  const form = { name: 'Ada Lovelace', email, password: 'correct horse battery staple' }
  const response = await fetch(`${url}/sign_up`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...csrf, cookie: headerOf(cookies), 'content-type': 'application/json', 'x-forwarded-for': client },
    body: JSON.stringify({ ...form, password_confirmation: form.password }),
  })
  const slug = response.headers.get('location')?.slice(1)
  if (response.status !== 302 || !slug) throw new Error(`nobody was signed up: ${response.status}`)

  const signedIn = new Map([...cookies, ...cookiesOf(response)])
  const token = decodeURIComponent(signedIn.get('session_token') ?? '').split('.')[0] ?? ''
  // load the page once, so the welcome message is gone before anything is measured
  const account = await fetch(`${url}/${slug}`, { headers: { cookie: headerOf(signedIn) } })
  const cookie = headerOf(new Map([...signedIn, ...cookiesOf(account)]))
  return { ...form, slug, token, cookie }
}

export const headerOf = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

function cookiesOf(response: Response) {
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0]?.split('=') ?? [])
  return new Map(pairs.map(([name = '', ...value]) => [name, value.join('=')]))
}
