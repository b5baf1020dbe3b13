/** Every address of the application by name. Server and pages take them from here; a test proves that each is a route. */
export const paths = {
  home: () => get('/'),
  dashboard: () => get('/dashboard'),
  health: () => get('/up'),

  signUp: () => get('/sign_up'),
  createUser: () => post('/sign_up'),
  signIn: () => get('/sign_in'),
  createSession: () => post('/sign_in'),
  endSession: (token: string) => destroy(`/sessions/${encodeURIComponent(token)}`),

  sessions: () => get('/settings/sessions'),

  newAccount: () => get('/accounts/new'),
  createAccount: () => post('/accounts'),
  account: (slug: string) => get(`/${slug}`),
}

export type Path = { url: string; method: 'get' | 'post' | 'patch' | 'delete' }

const get = (url: string) => ({ url, method: 'get' }) as const
const post = (url: string) => ({ url, method: 'post' }) as const
const destroy = (url: string) => ({ url, method: 'delete' }) as const
