import { useState } from 'react'
import { operatorPaths } from '../../../features/operators/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { SmallButton } from '../../shared/button.tsx'
import { Facts } from '../../shared/facts.tsx'
import { Heading } from '../../shared/heading.tsx'
import { Day, Time } from '../../shared/time.tsx'
import { sentenceInAccount } from '../../words/activities.ts'
import { readDevice } from '../../words/devices.ts'
import { withMethod } from '../../words/methods.ts'
import { rich, t } from '../../words/t.ts'
import { roleIn } from '../../words/workspace.tsx'
import { OperatorLayout } from '../layout.tsx'
import { purposeInWords } from '../mails.ts'
import { Obstacles } from '../obstacles.tsx'
import { Block, Row, Target } from '../rows.tsx'
import { UserActions } from '../user-actions.tsx'

const few = 5 // sessions

export default function User(props: PageProps<'operators/user'>) {
  const { user, ways, obstacles, sessions, accounts, activities, mails, providers } = props
  const { id, name, email, created_at, last_seen_at, operator } = user
  const [areAllShown, setAllShown] = useState(false)

  return (
    <>
      <Heading title={name}>
        <Facts>
          <bdi>{email}</bdi>
          {t('User {id}', { id })}
          {rich('Since {day}', { day: <Day at={created_at} /> })}
          {last_seen_at ? rich('Last seen {time}', { time: <Time at={last_seen_at} relative /> }) : t('Not signed in')}
          {operator && <span className="badge">{t('Operator')}</span>}
        </Facts>
      </Heading>
      {/* One section, whose heading has the focus once an action takes its button away. */}
      <section aria-labelledby="why">
        <Obstacles user={user} ways={ways} mails={mails} obstacles={obstacles} />
        {!operator && (
          <UserActions
            user={user}
            hasFactor={ways.includes('second factor')}
            isPaused={obstacles.paused_until !== null}
          />
        )}
      </section>
      <Block
        title={t('Sessions')}
        nothing={sessions.length === 0 && t('None.')}
        more={
          sessions.length > few &&
          !areAllShown && (
            <SmallButton onClick={() => setAllShown(true)}>
              {t('Show all {count} sessions', { count: sessions.length })}
            </SmallButton>
          )
        }
      >
        {sessions.slice(0, areAllShown ? undefined : few).map((session) => (
          <Row
            key={session.created_at + session.ip_address}
            text={
              <p>
                {readDevice(session.user_agent).name} {withMethod(session.method, providers)}
              </p>
            }
          >
            <bdi>{session.ip_address}</bdi>
            <Time at={session.last_seen_at} relative />
          </Row>
        ))}
      </Block>
      <Block title={t('Workspaces')} nothing={accounts.length === 0 && t('None.')}>
        {accounts.map((account) => (
          <Row key={account.id} text={<Target to={operatorPaths.account(account.id)} name={account.name} />}>
            {roleIn(account.role)}
          </Row>
        ))}
      </Block>
      <Block title={t('Mails')} nothing={mails.length === 0 && t('All mails have been sent.')}>
        {mails.map(({ purpose, state, created_at }) => (
          <Row key={purpose + created_at} text={<p>{purposeInWords(purpose)}</p>}>
            {state === 'failed' ? t('failed') : t('waiting')}
            <Time at={created_at} relative />
          </Row>
        ))}
      </Block>
      <Block title={t('Activity')} nothing={activities.length === 0 && t('No activity yet.')}>
        {activities.map((activity) => (
          <Row key={activity.id} text={<p>{sentenceInAccount(activity)}</p>}>
            {activity.ip_address && <bdi>{activity.ip_address}</bdi>}
            <Time at={activity.created_at} />
          </Row>
        ))}
      </Block>
    </>
  )
}

User.layout = [OperatorLayout]
