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
import { OperatorLayout } from './layout.tsx'
import { Block, Row } from './rows.tsx'

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
          <Row
            key={member.id}
            facts={<span>{roleIn(member.role)}</span>}
            action={member.role !== 'owner' && <Promotion accountId={id} {...member} />}
          >
            <Link href={operatorPaths.user(member.id).url}>
              <Name>{member.name}</Name>
            </Link>
            <bdi>{member.email}</bdi>
          </Row>
        ))}
      </Block>
      <More of="members" shown={members.length} rows={rows} />
      <Block title={t('Open invitations')} nothing={invitations.length === 0 && t('None.')}>
        {invitations.map(({ email, role, expires_at }) => (
          <Row key={email} facts={<InvitationFacts role={role} expires_at={expires_at} />}>
            <bdi>{email}</bdi>
          </Row>
        ))}
      </Block>
      <Block title={t('Domains')} nothing={domains.length === 0 && t('None.')}>
        {domains.map(({ domain, verified_at }) => (
          <Row key={domain} facts={<span>{verified_at ? <Day at={verified_at} /> : t('unverified')}</span>}>
            <bdi>{domain}</bdi>
          </Row>
        ))}
      </Block>
    </>
  )
}

const InvitationFacts = ({
  role,
  expires_at,
}: Pick<PageProps<'operators/account'>['invitations'][0], 'role' | 'expires_at'>) => (
  <>
    <span>{roleIn(role)}</span>
    <span>{rich('Expires {day}', { day: <Day at={expires_at} /> })}</span>
  </>
)

const Promotion = ({ accountId, id, name }: { accountId: number; id: number; name: string }) => (
  <WithPassword
    trigger={<SmallButton aria-label={t('Make {name} an owner', { name })}>{t('Make owner')}</SmallButton>}
    title={rich('Make {name} an owner?', { name })}
    action={t('Make owner')}
    to={operatorPaths.makeOwner(accountId)}
    data={{ user_id: String(id) }}
  >
    <p>{t('The other owners get a mail.')}</p>
  </WithPassword>
)

Account.layout = [OperatorLayout]
