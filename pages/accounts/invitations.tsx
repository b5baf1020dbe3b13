import { useState } from 'react'
import type { AccountProps, InvitationProps } from '../../features/accounts/props.ts'
import { useHydrated } from '../hooks/store.ts'
import { Ask } from '../popups/dialog.tsx'
import { SmallButton } from '../shared/button.tsx'
import { More } from '../shared/more.tsx'
import { Day } from '../shared/time.tsx'
import { plural, rich, t } from '../words/t.ts'
import { roleIn } from '../words/workspace.tsx'
import { resend, resendAll, revoke } from './member-actions.ts'

type Props = { account: AccountProps; invitations: InvitationProps[]; isSearched: boolean }

export function Invitations({ account, invitations, isSearched }: Props) {
  // depends on the browser's clock, so the server cannot render it
  const isHydrated = useHydrated()
  const expired = isHydrated ? invitations.filter(isExpired) : []

  if (invitations.length === 0)
    return (
      <p className="list-hint" role="status">
        {isSearched
          ? t('No invitations match. Try a shorter search.')
          : t('No pending invitations. People you invite appear here until they join.')}
      </p>
    )
  return (
    <section className="list" aria-label={t('Invitations')}>
      {expired.length > 1 && <Expired account={account} invitations={expired} />}
      <ul className="card rows">
        {invitations.map((invitation) => (
          <Pending
            key={invitation.id}
            account={account}
            invitation={invitation}
            expired={isHydrated && isExpired(invitation)}
          />
        ))}
      </ul>
      <More of="invitations" shown={invitations.length} />
      <p className="list-hint">
        {t("Invitation links can't be copied: opening the emailed link is what proves the address.")}
      </p>
    </section>
  )
}

const isExpired = ({ expires_at }: InvitationProps) => Date.parse(expires_at) <= Date.now()

function Expired({ account, invitations }: { account: AccountProps; invitations: InvitationProps[] }) {
  const [sending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    await resendAll(account, invitations)
    setSending(false)
  }
  return (
    <div className="expired">
      <p>{plural(invitations.length, '{count} invitation has expired.', '{count} invitations have expired.')}</p>
      <Ask
        trigger={
          <SmallButton aria-disabled={sending}>{sending ? t('Sending…') : t('Send all of them again')}</SmallButton>
        }
        title={plural(invitations.length, 'Send {count} invitation again?', 'Send {count} invitations again?')}
        explanation={t('Each person gets a new email, whose link works for a week.')}
        look="primary"
        action={t('Send again')}
        onConfirm={send}
      />
    </div>
  )
}

type PendingProps = { account: AccountProps; invitation: InvitationProps; expired: boolean }

function Pending({ account, invitation, expired }: PendingProps) {
  const { id, email, role, expires_at } = invitation
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
