import { destroy, get, post } from '../paths.ts'

export const providersPaths = {
  startProvider: (id: string) => post(`/sign_in/with/${id}`),
  providerSignUp: (id: string) => get(`/sign_in/with/${id}`),
  providerCallback: (id: string) => get(`/sign_in/with/${id}/callback`),
  createProviderUser: (id: string) => post(`/sign_up/with/${id}`),
  connectPending: () => post('/settings/identities'),
  connectProvider: (id: string) => post(`/settings/identities/${id}`),
  disconnectIdentity: (id: number) => destroy(`/settings/identities/${id}`),
}
