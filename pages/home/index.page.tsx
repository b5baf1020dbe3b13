import { Building2, KeyRound, MailCheck, MonitorSmartphone } from 'lucide-react'
import { use } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { typedAddress } from '../forms/typed-address.ts'
import { SiteLayout } from '../layouts/site.tsx'
import { Arches } from '../shared/arches.tsx'
import { AppName } from '../shared/brand.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { rich, t } from '../words/t.ts'

const reasons = [
  {
    Icon: KeyRound,
    title: text('One key'),
    text: text('Sign up once. A single password opens every workspace that you have or share.'),
  },
  {
    Icon: Building2,
    title: text('Room for each team'),
    text: text(`You start with a workspace of your own. Open another for a team or a client, and change between them
      anywhere.`),
  },
  {
    Icon: MonitorSmartphone,
    title: text('Every device in sight'),
    text: text(`See where you are signed in, and when you were there last. End a session that you do not know with one
      click.`),
  },
]

export default function Home({ invitation_only, verified_email }: PageProps<'home/index'>) {
  const appName = use(AppName)

  return (
    <>
      {verified_email && <Verified email={verified_email} />}
      <section className="hero">
        <div className="hero-text">
          <h1 id="content" tabIndex={-1}>
            {t('One door to all your workspaces.')}
          </h1>
          <p>
            {rich(
              `{appName} keeps your own things and what you share with others in separate rooms, and you walk between
                them with one sign-in.`,
              { appName },
            )}
          </p>
          <div className="hero-actions">
            {invitation_only ? (
              <ButtonLink look="primary" size="large" href={paths.signIn().url}>
                {t('Sign in')}
              </ButtonLink>
            ) : (
              <>
                <ButtonLink look="primary" size="large" href={paths.signUp().url}>
                  {t('Create your account')}
                </ButtonLink>
                <ButtonLink size="large" href={paths.signIn().url}>
                  {t('I have one already')}
                </ButtonLink>
              </>
            )}
          </div>
          {invitation_only && (
            <p className="hero-note">{rich('New here? {appName} is open by invitation from a member.', { appName })}</p>
          )}
        </div>
        <div className="hero-door">
          <Arches />
        </div>
      </section>
      <ul className="reasons">
        {reasons.map(({ Icon, title, text }) => (
          <li key={title.text}>
            <Icon aria-hidden="true" />
            <h2>{t(title)}</h2>
            <p>{t(text)}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** For people who open the link of the mail on another device than the one where they signed up. */
const Verified = ({ email }: { email: string }) => (
  <section className="verified" aria-label={t('Email verification')}>
    <MailCheck aria-hidden="true" />
    <p role="status">
      {rich('Thank you. {email} is verified now, here and on every device where you are signed in.', {
        email: (
          <strong>
            <bdi>{email}</bdi>
          </strong>
        ),
      })}
    </p>
    <ButtonLink
      look="primary"
      href={paths.signIn().url}
      onClick={() => {
        typedAddress.current = email
      }}
    >
      {t('Continue to sign in')}
    </ButtonLink>
  </section>
)

Home.layout = SiteLayout
