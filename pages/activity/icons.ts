import * as lucide from 'lucide-react'
import type { OwnActivities } from '../../features/activity/activities.ts'
import { features } from '../features.ts'

const coreIcons: Record<keyof OwnActivities, lucide.LucideIcon> = {
  signed_up: lucide.UserPlus,
  imported: lucide.UserPlus,
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
  suspended: lucide.Ban,
  unsuspended: lucide.CircleCheck,
  account_created: lucide.Building2,
  account_renamed: lucide.Pencil,
  account_deleted: lucide.Trash2,
  member_invited: lucide.MailPlus,
  invitation_revoked: lucide.MailX,
  invitation_declined: lucide.MailX,
  member_joined: lucide.UserCheck,
  role_changed: lucide.UserCog,
  member_removed: lucide.UserMinus,
  member_left: lucide.DoorOpen,
}

const icons: Record<string, lucide.LucideIcon> = Object.assign({}, coreIcons, ...features.map(({ icons }) => icons))

export const iconOf = (type: string) => icons[type] ?? lucide.Circle
