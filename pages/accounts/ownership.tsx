import type { ComponentProps } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { FormDialog } from '../popups/with-password.tsx'
import type { Role } from '../words/workspace.tsx'
import { keptMembers, removal, showRole } from './member-actions.ts'
import { questionsAbout } from './member-questions.tsx'

/** How somebody becomes an owner, or is one no longer. */
export type OwnershipChange = { question: 'makeOwner' | 'transfer' | 'remove' } | { question: 'demote'; role: Role }

type Props = { change: OwnershipChange; account: AccountProps; member: MemberProps } & Pick<
  ComponentProps<typeof FormDialog>,
  'finalFocus' | 'onClose'
>

/** Asks for the password before somebody becomes an owner, or another owner is one no longer. */
export function Ownership({ change, account, member, ...dialog }: Props) {
  return (
    <FormDialog
      {...questionsAbout(account, member)[change.question]}
      {...formOf(change, account, member)}
      {...dialog}
      look="danger"
    >
      <CurrentPasswordField alone />
    </FormDialog>
  )
}

function formOf(change: OwnershipChange, account: AccountProps, member: MemberProps) {
  // The current user's own role changes with a transfer, too, so the page is loaded again.
  if (change.question === 'transfer')
    return { to: paths.transferOwnership(account.slug, member.id), options: { preserveScroll: true } }
  if (change.question === 'remove') {
    const { options, onSuccess } = removal(member)
    return { to: paths.removeMember(account.slug, member.id), options, onSuccess }
  }
  const role = change.question === 'demote' ? change.role : 'owner'
  return {
    to: paths.changeRole(account.slug, member.id),
    data: { role },
    options: keptMembers(),
    onSuccess: () => showRole(account, member, role, { canUndo: false }),
  }
}
