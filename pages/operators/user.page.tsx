import { Link } from '@inertiajs/react'
import { operatorPaths } from '../../features/operators/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { iconOf } from '../activity/icons.ts'
import { Heading } from '../shared/heading.tsx'
import { Name } from '../shared/name.ts'
import { Day, Time } from '../shared/time.tsx'
import { sentenceInAccount } from '../words/activities.ts'
import { readDevice } from '../words/devices.ts'
import { withMethod } from '../words/methods.ts'
import { rich, t } from '../words/t.ts'
import { roleIn } from '../words/workspace.tsx'
import { Block } from './block.tsx'
import { OperatorLayout } from './layout.tsx'
import { Obstacles } from './obstacles.tsx'
import { UserActions } from './user-actions.tsx'

export default function User(props: PageProps<'operators/user'>) {
  const { user, ways, sessions, accounts, activities, mails, providers } = props
  const { id, name, email, created_at, last_seen_at, operator } = user

  return (
    <>
      <Heading title={name}>
        <span className="facts">
          <bdi>{email}</bdi>
          <span>{t('User {id}', { id })}</span>
          <span>{rich('Since {day}', { day: <Day at={created_at} /> })}</span>
          <span>
            {last_seen_at
              ? rich('Last seen {time}', { time: <Time at={last_seen_at} relative /> })
              : t('Not signed in')}
          </span>
          {operator && <span className="badge">{t('Operator')}</span>}
        </span>
      </Heading>
      <Obstacles user={user} ways={ways} mails={mails} />
      {!operator && <UserActions user={user} hasFactor={ways.includes('second factor')} />}
      <Block title={t('Sessions')} nothing={sessions.length === 0 && t('None.')}>
        {sessions.map((session) => (
          <li className="row" key={session.created_at + session.ip_address}>
            <span className="row-text">{readDevice(session.user_agent).name}</span>
            <span className="facts">
              <span>{withMethod(session.method, providers)}</span>
              <bdi>{session.ip_address}</bdi>
              <Time at={session.last_seen_at} relative />
            </span>
          </li>
        ))}
      </Block>
      <Block title={t('Workspaces')} nothing={accounts.length === 0 && t('None.')}>
        {accounts.map((account) => (
          <li className="row" key={account.id}>
            <Link className="row-text" href={operatorPaths.account(account.id).url}>
              <Name>{account.name}</Name>
            </Link>
            <span>{roleIn(account.role)}</span>
          </li>
        ))}
      </Block>
      <Block title={t('Mails')} nothing={mails.length === 0 && t('All mails have been sent.')}>
        {mails.map(({ purpose, state, created_at }) => (
          <li className="row" key={purpose + created_at}>
            <code className="row-text">{purpose}</code>
            <span>{state === 'failed' ? t('failed') : t('waiting')}</span>
            <Time at={created_at} relative />
          </li>
        ))}
      </Block>
      <Block title={t('Activity')} nothing={activities.length === 0 && t('No activity yet.')}>
        {activities.map((activity) => {
          const Icon = iconOf(activity.type)
          return (
            <li className="row" key={activity.id}>
              <Icon className="row-icon" aria-hidden="true" />
              <span className="row-text">{sentenceInAccount(activity)}</span>
              <span className="facts">
                {activity.ip_address && <bdi>{activity.ip_address}</bdi>}
                <Time at={activity.created_at} />
              </span>
            </li>
          )
        })}
      </Block>
    </>
  )
}

User.layout = [OperatorLayout]
