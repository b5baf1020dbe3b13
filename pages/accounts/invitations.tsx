import { useForm } from '@inertiajs/react'
import { useRef, useState } from 'react'
import type { AccountProps, InvitationProps } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { useHydrated } from '../hooks/store.ts'
import { Ask } from '../popups/dialog.tsx'
import { Menu, MenuAction, MoreButton } from '../popups/menu.tsx'
import { Empty } from '../shared/arch.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Facts } from '../shared/facts.tsx'
import { More } from '../shared/more.tsx'
import { Day } from '../shared/time.tsx'
import { plural, rich, t } from '../words/t.ts'
import { roleIn } from '../words/workspace.tsx'
import { resend, revoke } from './member-actions.ts'

type Props = {
  account: AccountProps
  invitations: InvitationProps[]
  /** How many there are, loaded or not, and how many of them have expired. */
  count: number | undefined
  expired: number
  isSearched: boolean
}

export function Invitations({ account, invitations, count, expired, isSearched }: Props) {
  // depends on the browser's clock, so the server cannot render it
  const isHydrated = useHydrated()

  if (invitations.length === 0)
    return isSearched ? (
      <p className="list-hint" role="status">
        {t('No invitations match. Try a shorter search.')}
      </p>
    ) : (
      <div className="card">
        <Empty>
          <p role="status">{t('No pending invitations. People you invite appear here until they join.')}</p>
        </Empty>
      </div>
    )
  return (
    <section className="list" aria-label={t('Invitations')}>
      {expired > 0 && !isSearched && (
        <Expired account={account} open={(count ?? expired) - expired} expired={expired} />
      )}
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

type ExpiredProps = { account: AccountProps; open: number; expired: number }

function Expired({ account, open, expired }: ExpiredProps) {
  const { submit, processing } = useForm({})
  const send = () => processing || submit(paths.resendExpired(account.slug), { preserveScroll: true })
  return (
    <div className="expired">
      <p>{t('{open} open · {expired} expired', { open, expired })}</p>
      <Ask
        trigger={
          <SmallButton aria-disabled={processing}>
            {processing ? t('Sending…') : t('Send expired ones again')}
          </SmallButton>
        }
        title={plural(expired, 'Send {count} invitation again?', 'Send {count} invitations again?')}
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
  const { id, email, role, created_at, expires_at, inviter_name } = invitation
  const row = `invitation-${id}`
  const button = useRef<HTMLButtonElement>(null)
  const [isRevoking, setRevoking] = useState(false)

  return (
    <li className="row waiting" id={row} data-row tabIndex={-1}>
      <div className="row-text">
        <strong>
          <bdi>{email}</bdi> {expired && <span className="badge badge-open">{t('Expired')}</span>}
        </strong>
        <Facts>
          {roleIn(role)}
          {inviter_name
            ? rich('Invited by {name}, {day}', { name: inviter_name, day: <Day at={created_at} /> })
            : rich('Invited {day}', { day: <Day at={created_at} /> })}
          {expired
            ? rich('Expired {day}', { day: <Day at={expires_at} /> })
            : rich('Expires {day}', { day: <Day at={expires_at} /> })}
        </Facts>
      </div>
      <div className="row-actions">
        <Menu align="end" trigger={<MoreButton ref={button} name={email} />}>
          <MenuAction onClick={() => resend(account, invitation)}>{t('Send again')}</MenuAction>
          <MenuAction onClick={() => setRevoking(true)}>{t('Revoke…')}</MenuAction>
        </Menu>
        {isRevoking && (
          <Ask
            title={rich('Revoke the invitation for {email}?', { email })}
            explanation={rich(
              'The link in the email to {email} will stop working. You can invite the same address again.',
              { email },
            )}
            action={t('Revoke')}
            finalFocus={button}
            onConfirm={() => revoke(account, invitation, document.getElementById(row))}
            onClose={() => setRevoking(false)}
          />
        )}
      </div>
    </li>
  )
}
