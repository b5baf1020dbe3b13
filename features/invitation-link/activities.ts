import { defineKinds, type OfAccount } from '../activity/activities.ts'

export interface InvitationLinkActivities {
  invitation_link_created: OfAccount
  invitation_link_removed: OfAccount
}

declare module '../activity/activities.ts' {
  interface Activities extends InvitationLinkActivities {}
}

defineKinds({
  invitation_link_created: 'members',
  invitation_link_removed: 'members',
})
