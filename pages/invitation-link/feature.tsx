import { Link2, Link2Off } from 'lucide-react'
import type { InvitationLinkActivities } from '../../features/invitation-link/activities.ts'
import type { Feature } from '../feature.ts'
import { rich, t } from '../words/t.ts'
import { InvitationLink } from './invitation-link.tsx'

export const invitationLink: Feature<keyof InvitationLinkActivities> = {
  option: 'invitation-link',
  parts: { 'accounts/members:invite': InvitationLink },
  afterRemoval: ({ invitation_link_ended }, name) =>
    invitation_link_ended &&
    t('The invitation link has ended, too, since {name} may know it. Create a new one if you need it.', { name }),
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
