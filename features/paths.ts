export const apiPrefix = '/api/v1'

/** The channel of what changes in an account, as identifiers of live updates name it. */
export const accountChannelName = 'AccountChannel'

/** Every URL of the application by name, for server and pages. A test checks that each one is a route. */
export const paths = {
  home: () => get('/'),
  dashboard: () => get('/dashboard'),
  health: () => get('/up'),
  manifest: () => get('/manifest.webmanifest'),
  changePasswordHere: () => get('/.well-known/change-password'),
  readiness: () => get('/up/ready'),

  signUpPage: (invitation = '', returnTo = '') => get(`/sign_up${query({ invitation, return_to: returnTo })}`),
  signUp: (invitation = '', returnTo = '') => post(`/sign_up${query({ invitation, return_to: returnTo })}`),
  signInPage: (invitation = '', returnTo = '') => get(`/sign_in${query({ invitation, return_to: returnTo })}`),
  signIn: (invitation = '', returnTo = '') => post(`/sign_in${query({ invitation, return_to: returnTo })}`),
  endOtherSessions: () => destroy('/sessions'),
  secondFactor: (returnTo = '') => get(`/sign_in/verify${query({ return_to: returnTo })}`),
  proveSecondFactor: (returnTo = '') => post(`/sign_in/verify${query({ return_to: returnTo })}`),
  endSession: (token: string) => destroy(`/sessions/${encodeURIComponent(token)}`),

  verifyEmail: (sid = '') => get(`/identity/email_verification${query({ sid })}`),
  resendVerification: () => post('/identity/email_verification'),
  emailChange: (sid = '') => get(`/identity/email_change${query({ sid })}`),
  undoEmailChange: () => post('/identity/email_change'),
  notMine: (sid = '') => get(`/identity/not_mine${query({ sid })}`),
  removeNotMine: () => post('/identity/not_mine'),
  newPasswordReset: (invitation = '') => get(`/identity/password_reset/new${query({ invitation })}`),
  requestPasswordReset: (invitation = '') => post(`/identity/password_reset${query({ invitation })}`),
  editPasswordReset: (sid = '') => get(`/identity/password_reset/edit${query({ sid })}`),
  resetPassword: () => patch('/identity/password_reset'),

  settings: () => get('/settings'),
  profile: () => get('/settings/profile'),
  updateProfile: () => patch('/settings/profile'),
  password: () => get('/settings/password'),
  mailPasswordLink: () => post('/settings/password'),
  changePassword: () => patch('/settings/password'),
  email: () => get('/settings/email'),
  changeEmail: () => patch('/settings/email'),
  security: () => get('/settings/security'),
  sessions: () => get('/settings/sessions'),
  activity: (filters: ActivityFilters = {}) => get(`/settings/activity${query(filters)}`),
  activityFile: (filters: ActivityFilters = {}) => get(`/settings/activity.csv${query(filters)}`),
  exportData: () => post('/settings/export'),
  appearance: () => get('/settings/appearance'),
  changeAppearance: () => patch('/settings/appearance'),
  chooseLanguage: () => post('/language'),
  dismiss: () => post('/settings/dismissed'),
  deleteUser: () => destroy('/users'),

  newAccount: () => get('/accounts/new'),
  createAccount: () => post('/accounts'),
  account: (slug: string) => get(`/${slug}`),
  deleteAccount: (slug: string) => destroy(`/${slug}`),
  accountSettings: (slug: string) => get(`/${slug}/settings`),
  updateAccount: (slug: string) => patch(`/${slug}/settings`),

  members: (slug: string) => get(`/${slug}/members`),
  changeRole: (slug: string, membershipId: number) => patch(`/${slug}/members/${membershipId}`),
  transferOwnership: (slug: string, membershipId: number) => post(`/${slug}/members/${membershipId}/ownership`),
  removeMember: (slug: string, membershipId: number) => destroy(`/${slug}/members/${membershipId}`),

  accountActivity: (slug: string, filters: ActivityFilters = {}) => get(`/${slug}/activity${query(filters)}`),
  accountActivityFile: (slug: string, filters: ActivityFilters = {}) => get(`/${slug}/activity.csv${query(filters)}`),

  invite: (slug: string) => post(`/${slug}/invitations`),
  resendExpired: (slug: string) => post(`/${slug}/invitations/resend`),
  resendInvitation: (slug: string, invitationId: number) => post(`/${slug}/invitations/${invitationId}/resend`),
  revokeInvitation: (slug: string, invitationId: number) => destroy(`/${slug}/invitations/${invitationId}`),
  invitation: (token: string) => get(`/invitations/${encodeURIComponent(token)}`),
  declineInvitation: (token: string) => post(`/invitations/${encodeURIComponent(token)}/decline`),
  acceptInvitation: (token: string) => post(`/invitations/${encodeURIComponent(token)}/accept`),

  openInvitation: (id: number) => get(`/invitations/open/${id}`),
  declineOpenInvitation: (id: number) => post(`/invitations/open/${id}/decline`),
  acceptOpenInvitation: (id: number) => post(`/invitations/open/${id}/accept`),

  live: (identifiers?: string[]) => get(`/live${query({ s: identifiers ? JSON.stringify(identifiers) : '' })}`),
  perform: () => post('/live/perform'),
  announcePresence: () => post('/live/presence'),
  endPresence: () => destroy('/live/presence'),
}

/** Whether a path shows its page to guests alone: signing in and signing up, but not the second step. */
export const isForGuests = (path: string) => /^\/sign_(in|up)(\/with\/[^/?]*|\/sso)?\/?(\?|$)/.test(path)

type ActivityFilters = { kind?: string; actor?: string; from?: string; to?: string; tz?: string }

export type Path = { url: string; method: 'get' | 'post' | 'put' | 'patch' | 'delete' }

export const get = (url: string) => ({ url, method: 'get' }) as const
export const post = (url: string) => ({ url, method: 'post' }) as const
export const put = (url: string) => ({ url, method: 'put' }) as const
export const patch = (url: string) => ({ url, method: 'patch' }) as const
export const destroy = (url: string) => ({ url, method: 'delete' }) as const

/** The query of a URL with these parameters, without those that are empty. */
export function query(parameters: Record<string, string | undefined>) {
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}
