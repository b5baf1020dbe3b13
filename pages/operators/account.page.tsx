import { Link } from '@inertiajs/react'
import { useRef } from 'react'
import { operatorPaths } from '../../features/operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Heading } from '../shared/heading.tsx'
import { More } from '../shared/more.tsx'
import { Name } from '../shared/name.ts'
import { Day } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'
import { roleIn } from '../words/workspace.tsx'
import { Block } from './block.tsx'
import { OperatorLayout } from './layout.tsx'

export default function Account(props: PageProps<'operators/account'>) {
  const { account, members, requires, domains, invitations } = props
  const { id, name, slug, created_at } = account
  const rows = useRef<HTMLUListElement>(null)

  return (
    <>
      <Heading title={name}>
        <span className="facts">
          <bdi>/{slug}</bdi>
          <span>{t('Workspace {id}', { id })}</span>
          <span>{rich('Since {day}', { day: <Day at={created_at} /> })}</span>
          {requires.second_factor && <span>{t('Requires two-factor authentication')}</span>}
          {requires.sso && <span>{t('Requires single sign-on')}</span>}
        </span>
      </Heading>
      <Block title={t('Members')} nothing={members.length === 0 && t('Nobody is in it.')} rows={rows}>
        {members.map((member) => (
          <li className="row" key={member.id} data-row tabIndex={-1}>
            <div className="row-text">
              <Link href={operatorPaths.user(member.id).url}>
                <Name>{member.name}</Name>
              </Link>
              <bdi>{member.email}</bdi>
            </div>
            <span>{roleIn(member.role)}</span>
            {member.role !== 'owner' && (
              <WithPassword
                trigger={
                  <SmallButton aria-label={t('Make {name} an owner', { name: member.name })}>
                    {t('Make owner')}
                  </SmallButton>
                }
                title={rich('Make {name} an owner?', { name: member.name })}
                action={t('Make owner')}
                to={operatorPaths.makeOwner(id)}
                data={{ user_id: String(member.id) }}
              >
                <p>{t('The other owners get a mail.')}</p>
              </WithPassword>
            )}
          </li>
        ))}
      </Block>
      <More of="members" shown={members.length} rows={rows} />
      <Block title={t('Open invitations')} nothing={invitations.length === 0 && t('None.')}>
        {invitations.map(({ email, role, expires_at }) => (
          <li className="row" key={email}>
            <bdi className="row-text">{email}</bdi>
            <span>{roleIn(role)}</span>
            <span>{rich('Expires {day}', { day: <Day at={expires_at} /> })}</span>
          </li>
        ))}
      </Block>
      <Block title={t('Domains')} nothing={domains.length === 0 && t('None.')}>
        {domains.map(({ domain, verified_at }) => (
          <li className="row" key={domain}>
            <bdi className="row-text">{domain}</bdi>
            {verified_at ? <Day at={verified_at} /> : <span>{t('unverified')}</span>}
          </li>
        ))}
      </Block>
    </>
  )
}

Account.layout = [OperatorLayout]
