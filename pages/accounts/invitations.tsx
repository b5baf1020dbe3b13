import type { AccountProps, InvitationProps } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { EmailField } from '../forms/email-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { useHydrated } from '../hooks/hydrated.ts'
import { Button } from '../shared/button.tsx'
import { Day } from '../shared/time.tsx'
import { roleNames } from '../words/roles.ts'
import { Confirmation } from './confirmation.tsx'
import { resend, revoke } from './member-actions.ts'
import { RoleField } from './role-field.tsx'

type Props = { account: AccountProps; invitations: InvitationProps[] }

/** How managers bring others into an account. */
export const Invitations = ({ account, invitations }: Props) => (
  <section className="people-invitations" aria-label="Invitations">
    <div className="card">
      <h2>Invite somebody</h2>
      <Form to={paths.invite(account.slug)} validatesAhead>
        <EmailField autoComplete="email" />
        <RoleField />
        <Submit>Send invitation</Submit>
      </Form>
    </div>
    {invitations.length > 0 ? (
      <div className="card">
        <h2>Pending invitations</h2>
        <ul className="rows">
          {invitations.map((invitation) => (
            <Pending key={invitation.id} account={account} invitation={invitation} />
          ))}
        </ul>
      </div>
    ) : (
      <p className="people-hint">Nobody is waiting. Whoever you invite stands here until they have joined.</p>
    )}
  </section>
)

function Pending({ account, invitation }: { account: AccountProps; invitation: InvitationProps }) {
  const { email, role, expires_at } = invitation
  const expired = useHydrated() && Date.parse(expires_at) <= Date.now() // by this browser's clock, which the server does not know

  return (
    <li className="row">
      <div className="row-text">
        <strong>
          {email} {expired && <span className="badge badge-open">Expired</span>}
        </strong>
        <span>
          {roleNames[role]}, {expired ? 'expired' : 'expires'} <Day at={expires_at} />
        </span>
      </div>
      <div className="row-actions">
        <Button size="small" onClick={() => resend(account, invitation)}>
          Send again<span className="visually-hidden"> to {email}</span>
        </Button>
        <Confirmation
          trigger={
            <Button size="small">
              Revoke<span className="visually-hidden"> the invitation of {email}</span>
            </Button>
          }
          title="Revoke invitation?"
          explanation={<p>The link in the mail to {email} stops working. You can invite the same address again.</p>}
          action="Revoke"
          onConfirm={() => revoke(account, invitation)}
        />
      </div>
    </li>
  )
}
