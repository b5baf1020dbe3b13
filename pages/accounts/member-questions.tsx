import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'

export type Question = keyof ReturnType<typeof questionsAbout>

/** What is asked before something that the person who does it cannot undo, or not without being asked who they are. */
export function questionsAbout(workspace: AccountProps, { name, email }: MemberProps) {
  const account = workspaceName(workspace)
  return {
    makeOwner: {
      title: rich('Make {name} an owner?', { name }),
      action: t('Make owner'),
      explanation: rich('{name} gets full control of {account}, including deleting it and changing your role.', {
        name,
        account,
      }),
    },
    transfer: {
      title: rich('Transfer {account} to {name}?', { account, name }),
      action: t('Transfer ownership'),
      explanation: (
        <ul>
          <li>
            {rich('{name} becomes an owner with full control: members and their roles, settings, deletion.', { name })}
          </li>
          <li>
            {t(`You become an admin: you can still manage members and settings, but not delete the workspace or make
              others owners.`)}
          </li>
          <li>{t('Only an owner can make you an owner again.')}</li>
        </ul>
      ),
    },
    demote: {
      title: rich('Take the ownership from {name}?', { name }),
      action: t('Change role'),
      explanation: rich(
        '{name} loses full control of {account}. To make them an owner again, you confirm that it is you.',
        { name, account },
      ),
    },
    stepDown: {
      title: rich('Step down as owner of {name}?', { name: account }),
      action: t('Step down'),
      explanation: rich('You give up full control of {name}. Only another owner can make you an owner again.', {
        name: account,
      }),
    },
    remove: {
      title: rich('Remove {name}?', { name }),
      action: t('Remove'),
      explanation: rich(
        '{name} ({email}) loses access to {account} right away and needs a new invitation to come back.',
        { name, email, account },
      ),
    },
    leave: {
      title: rich('Leave {name}?', { name: account }),
      action: t('Leave workspace'),
      explanation: rich(
        'You lose access to {name} right away and need a new invitation to come back. Everyone else stays.',
        { name: account },
      ),
    },
  }
}
