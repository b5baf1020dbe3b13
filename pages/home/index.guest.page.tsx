import { use } from 'react'
import { frontPage } from '../../brand/front-page.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { typedAddress } from '../forms/email-field.tsx'
import { SiteLayout } from '../layouts/site.tsx'
import { Arches } from '../shared/brand.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { SiteContext } from '../shared/site.ts'
import { rich, t } from '../words/t.ts'

export default function Home({ invitation_only, verified_email }: PageProps<'home/index'>) {
  const { appName } = use(SiteContext)
  const { title, lead, reasons } = frontPage(appName)

  return (
    <>
      {verified_email && <Verified email={verified_email} />}
      <section className="hero">
        <div className="hero-text">
          <h1 id="content" tabIndex={-1}>
            {title}
          </h1>
          <p>{lead}</p>
          <div className="hero-actions">
            {invitation_only ? (
              <ButtonLink look="primary" href={paths.signInPage().url}>
                {t('Sign in')}
              </ButtonLink>
            ) : (
              <>
                <ButtonLink look="primary" href={paths.signUpPage().url}>
                  {t('Create your account')}
                </ButtonLink>
                <ButtonLink href={paths.signInPage().url}>{t('I already have an account')}</ButtonLink>
              </>
            )}
          </div>
          {invitation_only && (
            <p className="hero-note">
              {rich('New here? You need an invitation from a member to join {appName}.', { appName })}
            </p>
          )}
        </div>
        <div className="hero-door">
          <Arches />
        </div>
      </section>
      <ul className="reasons">
        {reasons.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon name={icon} />
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

const Verified = ({ email }: { email: string }) => (
  <section className="verified" aria-label={t('Email verification')}>
    <Icon name="mail" />
    <p role="status">
      {rich("Thank you. {email} is now verified, here and on every device where you're signed in.", {
        email: <strong dir="auto">{email}</strong>,
      })}
    </p>
    <ButtonLink
      look="primary"
      href={paths.signInPage().url}
      onClick={() => {
        typedAddress.current = email
      }}
    >
      {t('Continue to sign in')}
    </ButtonLink>
  </section>
)

Home.layout = SiteLayout
