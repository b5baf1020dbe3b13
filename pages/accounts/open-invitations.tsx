import type { OpenInvitation } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { Avatar } from '../shared/avatar.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { rich, t } from '../words/t.ts'

/** What the person is invited to: on the overview, and where those land who have no workspace. */
export function OpenInvitations({ invitations = [] }: { invitations?: OpenInvitation[] | undefined }) {
  if (invitations.length === 0) return null

  return (
    <section className="open-invitations" aria-labelledby="open-invitations">
      <h2 id="open-invitations" className="visually-hidden">
        {t('Your invitations')}
      </h2>
      <ul className="card rows">
        {invitations.map(({ id, account_name, inviter_name }) => (
          <li className="row" key={id}>
            <Avatar name={account_name} picture={null} />
            <p className="row-text">
              <span>
                {rich('{inviter} invited you to {account}', {
                  inviter: <bdi>{inviter_name ?? t('Someone')}</bdi>,
                  account: <bdi>{account_name}</bdi>,
                })}
              </span>
            </p>
            <div className="row-actions">
              <ButtonLink size="small" href={paths.openInvitation(id).url}>
                {rich('See the invitation {account}', {
                  account: (
                    <span className="visually-hidden">
                      {rich('to {account}', { account: <bdi>{account_name}</bdi> })}
                    </span>
                  ),
                })}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
