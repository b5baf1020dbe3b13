import * as lucide from 'lucide-react'
import type { OwnActivities } from '../../features/activity/activities.ts'
import { features } from '../features.ts'

const own: Record<keyof OwnActivities, lucide.LucideIcon> = {
  signed_up: lucide.UserPlus,
  signed_in: lucide.LogIn,
  signed_out: lucide.LogOut,
  session_ended: lucide.MonitorX,
  sessions_ended: lucide.MonitorX,
  sign_in_refused: lucide.ShieldAlert,
  email_verified: lucide.MailCheck,
  profile_changed: lucide.Pencil,
  email_changed: lucide.AtSign,
  password_changed: lucide.KeyRound,
  password_reset: lucide.KeyRound,
  data_exported: lucide.Download,
  picture_changed: lucide.Image,
  second_factor_enabled: lucide.ShieldCheck,
  second_factor_disabled: lucide.ShieldOff,
  recovery_codes_made: lucide.LifeBuoy,
  recovery_code_used: lucide.LifeBuoy,
  second_factor_locked: lucide.ShieldAlert,
  browser_trusted: lucide.ShieldCheck,
  trusted_browsers_forgotten: lucide.ShieldOff,
  token_created: lucide.KeySquare,
  token_revoked: lucide.KeySquare,
  passkey_added: lucide.Fingerprint,
  passkey_renamed: lucide.Fingerprint,
  passkey_removed: lucide.Fingerprint,
  identity_connected: lucide.Link2,
  identity_disconnected: lucide.Link2Off,
  operator_granted: lucide.ShieldPlus,
  operator_revoked: lucide.ShieldMinus,
  suspended: lucide.Ban,
  unsuspended: lucide.CircleCheck,
  account_created: lucide.Building2,
  account_renamed: lucide.Pencil,
  account_deleted: lucide.Trash2,
  member_invited: lucide.MailPlus,
  invitation_revoked: lucide.MailX,
  invitation_declined: lucide.MailX,
  invitation_link_created: lucide.Link2,
  invitation_link_removed: lucide.Link2Off,
  member_joined: lucide.UserCheck,
  role_changed: lucide.UserCog,
  member_removed: lucide.UserMinus,
  member_left: lucide.DoorOpen,
}

const icons: Record<string, lucide.LucideIcon> = Object.assign({}, own, ...features.map(({ icons }) => icons))

export const iconOf = (type: string) => icons[type] ?? lucide.Circle
