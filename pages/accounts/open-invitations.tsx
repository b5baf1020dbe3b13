import type { OpenInvitation } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { Avatar } from '../shared/avatar.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { rich, t } from '../words/t.ts'
import { invitedName } from '../words/workspace.tsx'

export function OpenInvitations({ invitations = [] }: { invitations?: OpenInvitation[] | undefined }) {
  if (invitations.length === 0) return null

  return (
    <section className="open-invitations" aria-labelledby="open-invitations">
      <h2 id="open-invitations" className="visually-hidden">
        {t('Your invitations')}
      </h2>
      <ul className="card rows">
        {invitations.map(({ id, inviter_name, ...invitation }) => (
          <li className="row" key={id}>
            <Avatar of={invitation.account_name} name={invitation.account_name} />
            <p className="row-text">
              <span>
                {rich('{inviter} invited you to {account}', {
                  inviter: inviter_name ?? t('Someone'),
                  account: invitedName(invitation),
                })}
              </span>
            </p>
            <div className="row-actions">
              <ButtonLink
                size="small"
                aria-label={t('See the invitation to {account}', { account: invitedName(invitation) })}
                href={paths.openInvitation(id).url}
              >
                {t('See the invitation')}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
