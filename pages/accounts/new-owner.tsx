import type { ComponentProps } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { FormDialog } from '../popups/with-password.tsx'
import { keptMembers, showRole } from './member-actions.ts'
import { questionsAbout } from './member-questions.tsx'

/** How somebody becomes an owner. */
export type Way = 'makeOwner' | 'transfer'

type Props = { way: Way; account: AccountProps; member: MemberProps } & Pick<
  ComponentProps<typeof FormDialog>,
  'finalFocus' | 'onClose'
>

/** Asks for the password before somebody becomes an owner. */
export function NewOwner({ way, account, member, ...dialog }: Props) {
  const question = questionsAbout(account, member)[way]
  // The viewer's own role changes with a transfer, too, so the page is loaded again.
  const form =
    way === 'transfer'
      ? { to: paths.transferOwnership(account.slug, member.id), options: { preserveScroll: true } }
      : {
          to: paths.changeRole(account.slug, member.id),
          data: { role: 'owner' },
          options: keptMembers(),
          onSuccess: () => showRole(account, member, 'owner'),
        }
  return (
    <FormDialog {...question} {...form} {...dialog} look="danger">
      <CurrentPasswordField alone />
    </FormDialog>
  )
}
