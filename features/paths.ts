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

  verifyEmail: (sid = '') => get(`/identity/email_verification${query({ sid })}`),
  resendVerification: () => post('/identity/email_verification'),
  newPasswordReset: () => get('/identity/password_reset/new'),
  requestPasswordReset: () => post('/identity/password_reset'),
  editPasswordReset: (sid = '') => get(`/identity/password_reset/edit${query({ sid })}`),
  resetPassword: () => patch('/identity/password_reset'),

  profile: () => get('/settings/profile'),
  updateProfile: () => patch('/settings/profile'),
  password: () => get('/settings/password'),
  changePassword: () => patch('/settings/password'),
  email: () => get('/settings/email'),
  changeEmail: () => patch('/settings/email'),
  sessions: () => get('/settings/sessions'),
  appearance: () => get('/settings/appearance'),
  deleteUser: () => destroy('/users'),

  newAccount: () => get('/accounts/new'),
  createAccount: () => post('/accounts'),
  account: (slug: string) => get(`/${slug}`),
}

export type Path = { url: string; method: 'get' | 'post' | 'patch' | 'delete' }

const get = (url: string) => ({ url, method: 'get' }) as const
const post = (url: string) => ({ url, method: 'post' }) as const
const patch = (url: string) => ({ url, method: 'patch' }) as const
const destroy = (url: string) => ({ url, method: 'delete' }) as const

// Parameters without a value are left out.
function query(parameters: Record<string, string>) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}
