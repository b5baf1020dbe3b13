import { useRef } from 'react'
import type { AccountProps, InvitationProps } from '../../features/accounts/props.ts'
import { useHydrated } from '../hooks/store.ts'
import { Ask } from '../popups/dialog.tsx'
import { SmallButton } from '../shared/button.tsx'
import { More } from '../shared/more.tsx'
import { Day } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'
import { roleIn } from '../words/workspace.tsx'
import { resend, revoke } from './member-actions.ts'

type Props = { account: AccountProps; invitations: InvitationProps[] }

export function Invitations({ account, invitations }: Props) {
  const rows = useRef<HTMLUListElement>(null)
  return (
    <section className="list" aria-label={t('Invitations')}>
      <h2>{t('Pending invitations')}</h2>
      {invitations.length > 0 ? (
        <>
          <ul className="card rows" ref={rows}>
            {invitations.map((invitation) => (
              <Pending key={invitation.id} account={account} invitation={invitation} />
            ))}
          </ul>
          <More of="invitations" shown={invitations.length} rows={rows} />
          <p className="list-hint">
            {t("Invitation links can't be copied: opening the emailed link is what proves the address.")}
          </p>
        </>
      ) : (
        <p className="list-hint">{t('No pending invitations. People you invite appear here until they join.')}</p>
      )}
    </section>
  )
}

function Pending({ account, invitation }: { account: AccountProps; invitation: InvitationProps }) {
  const { id, email, role, expires_at } = invitation
  // depends on the browser's clock, so the server cannot render it
  const expired = useHydrated() && Date.parse(expires_at) <= Date.now()
  const row = `invitation-${id}`

  return (
    <li className="row waiting" id={row} data-row tabIndex={-1}>
      <div className="row-text">
        <strong>
          <bdi>{email}</bdi> {expired && <span className="badge badge-open">{t('Expired')}</span>}
        </strong>
        <span>
          {expired
            ? rich('{role}, expired {day}', { role: roleIn(role), day: <Day at={expires_at} /> })
            : rich('{role}, expires {day}', { role: roleIn(role), day: <Day at={expires_at} /> })}
        </span>
      </div>
      <div className="row-actions">
        <SmallButton aria-label={t('Send again to {email}', { email })} onClick={() => resend(account, invitation)}>
          {t('Send again')}
        </SmallButton>
        <Ask
          trigger={
            <SmallButton aria-label={t('Revoke the invitation for {email}', { email })}>{t('Revoke')}</SmallButton>
          }
          title={rich('Revoke the invitation for {email}?', { email })}
          explanation={rich(
            'The link in the email to {email} will stop working. You can invite the same address again.',
            { email },
          )}
          action={t('Revoke')}
          onConfirm={() => revoke(account, invitation, document.getElementById(row))}
        />
      </div>
    </li>
  )
}
