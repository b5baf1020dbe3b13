import { router } from '@inertiajs/react'
import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { SessionProps } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { Button } from '../shared/button.tsx'
import { Heading } from '../shared/heading.tsx'
import { Time } from '../shared/time.tsx'
import { readDevice } from './device.ts'

export default function Sessions({ sessions, auth }: PageProps<'settings/sessions'>) {
  return (
    <>
      <Heading title="Sessions">Where you are signed in. End every session that you do not recognise.</Heading>
      <ul className="card rows">
        {sessions.map((session) => (
          <Session key={session.id} session={session} here={session.id === auth.session?.id} />
        ))}
      </ul>
    </>
  )
}

function Session({ session, here }: { session: SessionProps; here: boolean }) {
  const [ending, setEnding] = useState(false)
  const device = readDevice(session.user_agent)
  const Icon = device.handheld ? Smartphone : Laptop

  const end = () => {
    router.delete(paths.endSession(session.id).url, { preserveScroll: true, onFinish: () => setEnding(false) })
    setEnding(true)
    router.flushAll()
  }

  return (
    <li className="row">
      <Icon className="row-icon" aria-hidden="true" />
      <div className="row-text">
        <strong>
          {device.name} {here && <span className="badge">This device</span>}
        </strong>
        <span>
          Active <Time at={session.last_seen_at} relative /> from {session.ip_address}
        </span>
        <span>
          Signed in <Time at={session.created_at} />
        </span>
      </div>
      <Button size="small" disabled={ending} onClick={end}>
        Sign out<span className="visually-hidden"> of {device.name}</span>
      </Button>
    </li>
  )
}

Sessions.layout = [AppLayout, SettingsLayout]
