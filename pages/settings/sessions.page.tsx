import { router, useForm } from '@inertiajs/react'
import { Laptop, Smartphone } from 'lucide-react'
import { useRef } from 'react'
import type { Provider, SessionProps } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Deletion } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { focusHeading, focusRow } from '../shared/focus.ts'
import { Heading } from '../shared/heading.tsx'
import { More } from '../shared/more.tsx'
import { Time } from '../shared/time.tsx'
import { readDevice } from '../words/devices.ts'
import { withMethod } from '../words/methods.ts'
import { rich, t } from '../words/t.ts'

export default function Sessions({ sessions, providers, auth: { session } }: PageProps<'settings/sessions'>) {
  const rows = useRef<HTMLUListElement>(null)
  const here = sessions.filter(({ id }) => id === session?.id)
  const others = sessions.filter(({ id }) => id !== session?.id)

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
      <ul className="card rows" ref={rows}>
        {[...here, ...others].map((each, index) => (
          <Session
            key={each.id}
            session={each}
            providers={providers}
            here={each.id === session?.id}
            onEnded={() => focusRow(rows.current, index)}
          />
        ))}
      </ul>
      <More of="sessions" shown={sessions.length} rows={rows} />
    </>
  )
}

type Props = { session: SessionProps; providers: Provider[]; here: boolean; onEnded(): void }

function Session({ session, providers, here, onEnded }: Props) {
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
      <Icon className="row-icon" aria-hidden="true" />
      <div className="row-text">
        <strong>
          {device.name} {here && <span className="badge">{t('This device')}</span>}
        </strong>
        <span>
          {rich('Active {time} from {address}', {
            time: <Time at={session.last_seen_at} relative />,
            address: session.ip_address,
          })}
        </span>
        <span>
          {rich('Signed in {time} {method}', {
            time: <Time at={session.created_at} />,
            method: withMethod(session.method, providers),
          })}
        </span>
      </div>
      <SmallButton aria-label={t('Sign out of {name}', { name: device.name })} aria-disabled={processing} onClick={end}>
        {t('Sign out')}
      </SmallButton>
    </li>
  )
}

Sessions.layout = settingsLayouts
