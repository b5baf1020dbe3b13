import { Link2, Link2Off } from 'lucide-react'
import type { InvitationLinkActivities } from '../../features/invitation-link/activities.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'
import { InvitationLink } from './invitation-link.tsx'

export const invitationLink: Feature<keyof InvitationLinkActivities> = {
  option: 'invitation-link',
  parts: { 'accounts/members:invite': InvitationLink },
  icons: {
    invitation_link_created: Link2,
    invitation_link_removed: Link2Off,
  },
  sentences: {
    invitation_link_created: ({ actor, account }) =>
      account
        ? rich('{actor} created an invitation link for {account}', { actor, account })
        : rich('{actor} created an invitation link', { actor }),
    invitation_link_removed: ({ actor, account }) =>
      account
        ? rich('{actor} removed the invitation link of {account}', { actor, account })
        : rich('{actor} removed the invitation link', { actor }),
  },
}
