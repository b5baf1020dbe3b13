import { operatorPaths } from '../../../features/operators/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { Parts } from '../../parts/parts.tsx'
import { WithPassword } from '../../popups/with-password.tsx'
import { SmallButton } from '../../shared/button.tsx'
import { Facts } from '../../shared/facts.tsx'
import { Heading } from '../../shared/heading.tsx'
import { More } from '../../shared/more.tsx'
import { Day } from '../../shared/time.tsx'
import { rich, t } from '../../words/t.ts'
import { roleIn } from '../../words/workspace.tsx'
import { OperatorLayout } from '../layout.tsx'
import { Block, Row, Target } from '../rows.tsx'

declare module '../../places.ts' {
  interface Places {
    'operators/account': PageProps<'operators/account'>
  }
}

export default function Account(props: PageProps<'operators/account'>) {
  const { account, members, requires, invitations } = props
  const { id, name, slug, created_at } = account

  return (
    <>
      <Heading title={name}>
        <Facts>
          <bdi>/{slug}</bdi>
          {t('Workspace {id}', { id })}
          {rich('Since {day}', { day: <Day at={created_at} /> })}
          {requires.second_factor && t('Requires two-factor authentication')}
          {requires.sso && t('Requires single sign-on')}
        </Facts>
      </Heading>
      <Parts of="operators/account" with={props} />
      <Block title={t('Members')} nothing={members.length === 0 && t('Nobody is in it.')}>
        {members.map((member) => (
          <Row
            key={member.id}
            text={<Target to={operatorPaths.user(member.id)} name={member.name} address={member.email} />}
            action={member.role !== 'owner' && <Promotion accountId={id} {...member} />}
          >
            {roleIn(member.role)}
          </Row>
        ))}
      </Block>
      <More of="members" shown={members.length} />
      <Block title={t('Open invitations')} nothing={invitations.length === 0 && t('None.')}>
        {invitations.map(({ email, role, expires_at }) => (
          <Row key={email} text={<bdi>{email}</bdi>}>
            {roleIn(role)}
            {rich('Expires {day}', { day: <Day at={expires_at} /> })}
          </Row>
        ))}
      </Block>
    </>
  )
}

const Promotion = ({ accountId, id, name }: { accountId: number; id: number; name: string }) => (
  <WithPassword
    trigger={<SmallButton aria-label={t('Make owner: {name}', { name })}>{t('Make owner')}</SmallButton>}
    title={rich('Make {name} an owner?', { name })}
    action={t('Make owner')}
    to={operatorPaths.makeOwner(accountId)}
    data={{ user_id: String(id) }}
  >
    <p>{t('The other owners get a mail.')}</p>
  </WithPassword>
)

Account.layout = [OperatorLayout]
