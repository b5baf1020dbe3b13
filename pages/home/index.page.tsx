import { Building2, KeyRound, MonitorSmartphone } from 'lucide-react'
import { use } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { SiteLayout } from '../layouts/site.tsx'
import { Arches } from '../shared/arches.tsx'
import { AppName } from '../shared/brand.tsx'
import { ButtonLink } from '../shared/button.tsx'

const reasons = [
  {
    Icon: KeyRound,
    title: 'One key',
    text: 'Sign up once. A single password opens every workspace that you have or share.',
  },
  {
    Icon: Building2,
    title: 'Room for each team',
    text:
      'You start with a workspace of your own. Open another for a team or a client, ' +
      'and change between them anywhere.',
  },
  {
    Icon: MonitorSmartphone,
    title: 'Every device in sight',
    text:
      'See where you are signed in, and when you were there last. ' +
      'End a session that you do not know with one click.',
  },
]

export default function Home({ invitation_only }: PageProps<'home/index'>) {
  const appName = use(AppName)

  return (
    <>
      <section className="hero">
        <div className="hero-text">
          <h1 id="content" tabIndex={-1}>
            One door to all your workspaces.
          </h1>
          <p>
            {appName} keeps your own things and what you share with others in separate rooms, and you walk between them
            with one sign-in.
          </p>
          <div className="hero-actions">
            {invitation_only ? (
              <ButtonLink look="primary" size="large" href={paths.signIn().url}>
                Sign in
              </ButtonLink>
            ) : (
              <>
                <ButtonLink look="primary" size="large" href={paths.signUp().url}>
                  Create your account
                </ButtonLink>
                <ButtonLink size="large" href={paths.signIn().url}>
                  I have one already
                </ButtonLink>
              </>
            )}
          </div>
          {invitation_only && <p className="hero-note">New here? {appName} is open by invitation from a member.</p>}
        </div>
        <div className="hero-door">
          <Arches />
        </div>
      </section>
      <ul className="reasons">
        {reasons.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon aria-hidden="true" />
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

Home.layout = SiteLayout
