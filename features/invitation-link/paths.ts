import { destroy, get, post } from '../paths.ts'

export const invitationLinkPaths = {
  createInvitationLink: (slug: string) => post(`/${slug}/invitation_link`),
  removeInvitationLink: (slug: string) => destroy(`/${slug}/invitation_link`),
  join: (token: string) => get(`/join/${encodeURIComponent(token)}`),
  acceptLink: (token: string) => post(`/join/${encodeURIComponent(token)}`),
}
