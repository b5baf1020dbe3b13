import { router, useForm } from '@inertiajs/react'
import { Laptop, Smartphone } from 'lucide-react'
import { useRef } from 'react'
import type { Provider, SessionProps } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Deletion } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Facts } from '../shared/facts.tsx'
import { focusHeading, focusRow } from '../shared/focus.ts'
import { Heading } from '../shared/heading.tsx'
import { More } from '../shared/more.tsx'
import { Day, Time } from '../shared/time.tsx'
import { readDevice } from '../words/devices.ts'
import { withMethod } from '../words/methods.ts'
import { plural, rich, t } from '../words/t.ts'
import { NotYou } from './not-you.tsx'

const monthMs = 30 * 86_400_000

export default function Sessions({ sessions, providers, auth: { session } }: PageProps<'settings/sessions'>) {
  const current = sessions.find(({ id }) => id === session?.id)
  const others = sessions.filter(({ id }) => id !== session?.id)
  // Compared with this session, which is being used: the server does not know the browser's clock.
  const isOld = ({ last_seen_at }: SessionProps) =>
    Date.parse(current?.last_seen_at ?? last_seen_at) - Date.parse(last_seen_at) > monthMs
  const old = others.filter(isOld)
  const recent = others.filter((each) => !isOld(each))
  const shared = { providers, current: session?.id }

  return (
    <>
      <Heading title={t('Sessions')}>{t("Where you're signed in. End any session you don't recognize.")}</Heading>
      {others.length > 0 && (
        <div className="actions">
          <Deletion action={t('End all other sessions')} to={paths.endOtherSessions()} onSuccess={focusHeading}>
            <p>{t("You're signed out right away everywhere except on this device.")}</p>
          </Deletion>
        </div>
      )}
      <div className="sessions">
        <SessionList sessions={current ? [current, ...recent] : recent} {...shared} />
        {old.length > 0 && (
          <details>
            <summary>
              {plural(
                old.length,
                '{count} session not seen for more than 30 days',
                '{count} sessions not seen for more than 30 days',
              )}
            </summary>
            <SessionList sessions={old} {...shared} />
          </details>
        )}
      </div>
      <More of="sessions" shown={sessions.length} />
    </>
  )
}

type ListProps = { sessions: SessionProps[]; providers: Provider[]; current: string | undefined }

function SessionList({ sessions, providers, current }: ListProps) {
  const rows = useRef<HTMLUListElement>(null)
  return (
    <ul className="card rows" ref={rows}>
      {sessions.map((each, index) => (
        <Session
          key={each.id}
          session={each}
          providers={providers}
          isCurrent={each.id === current}
          onEnded={() => focusRow(rows.current, index)}
        />
      ))}
    </ul>
  )
}

type Props = { session: SessionProps; providers: Provider[]; isCurrent: boolean; onEnded(): void }

function Session({ session, providers, isCurrent, onEnded }: Props) {
  const { submit, processing } = useForm({})
  const device = readDevice(session.user_agent)
  const Icon = device.handheld ? Smartphone : Laptop

  const end = () => {
    if (processing) return
    submit(paths.endSession(session.id), { preserveScroll: true, onSuccess: onEnded })
    router.flushAll()
  }

  return (
    <li className="row" data-row tabIndex={-1}>
      <Icon className="row-icon" />
      <div className="row-text">
        <Facts
          title={
            <>
              {device.name} {isCurrent && <span className="badge">{t('This device')}</span>}
            </>
          }
        >
          {rich('Active {time}', { time: <Time at={session.last_seen_at} relative /> })}
          <bdi title={session.ip_address}>{session.ip_address}</bdi>
        </Facts>
        <span>
          {rich('Signed in {time} {method}', {
            time: <Day at={session.created_at} />,
            method: withMethod(session.method, providers),
          })}
        </span>
      </div>
      <div className="row-actions">
        {!isCurrent && <NotYou session={session.id} device={device.name} ip={session.ip_address} />}
        <SmallButton
          aria-label={t('Sign out of {name}', { name: device.name })}
          aria-disabled={processing}
          onClick={end}
        >
          {t('Sign out')}
        </SmallButton>
      </div>
    </li>
  )
}

Sessions.layout = settingsLayouts
