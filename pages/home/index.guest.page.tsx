import { router } from '@inertiajs/react'
import { type SubmitEvent, use } from 'react'
import { frontPage } from '../../brand/front-page.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField, typedAddress } from '../forms/email-field.tsx'
import { SiteLayout } from '../layouts/site.tsx'
import { Arches } from '../shared/brand.tsx'
import { Button, ButtonLink } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { SiteContext } from '../shared/site.ts'
import { rich, t } from '../words/t.ts'

export default function Home({ invitation_only, verified_email }: PageProps<'home/index'>) {
  const { appName } = use(SiteContext)
  const { title, lead, reasons, picture, logos, quote, questions } = frontPage(appName)

  return (
    <>
      {verified_email && <Verified email={verified_email} />}
      <section className="hero">
        <div className="hero-text">
          <h1 id="content" tabIndex={-1}>
            {title}
          </h1>
          <p>{lead}</p>
          {invitation_only ? (
            <>
              <div className="hero-actions">
                <ButtonLink look="primary" href={paths.signInPage().url}>
                  {t('Sign in')}
                </ButtonLink>
              </div>
              <p className="hero-note">
                {rich('New here? You need an invitation from a member to join {appName}.', { appName })}
              </p>
            </>
          ) : (
            <Start />
          )}
        </div>
        <div className="hero-door">
          <Arches />
          {picture && <img src={picture.src} alt={picture.alt} />}
        </div>
      </section>
      <ul className="reasons" id="reasons">
        {reasons.map(({ icon, title, text }) => (
          <li key={title}>
            <Icon name={icon} />
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {logos && (
        <ul className="logos">
          {logos.map(({ name, src }) => (
            <li key={name}>
              <img src={src} alt={name} />
            </li>
          ))}
        </ul>
      )}
      {quote && (
        <figure className="quote">
          <blockquote>{quote.text}</blockquote>
          <figcaption>{quote.from}</figcaption>
        </figure>
      )}
      {questions && (
        <section className="questions" id="questions">
          <h2>{t('Questions')}</h2>
          <div>
            {questions.map(({ question, answer }) => (
              <details key={question}>
                <summary>{question}</summary>
                <p>{answer}</p>
              </details>
            ))}
          </div>
        </section>
      )}
    </>
  )
}

/** Without script it leads on, too. The field has no name, since a URL with an address would be logged. */
function Start() {
  const signUp = paths.signUpPage().url
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    typedAddress.current = event.currentTarget.querySelector('input')?.value // maybe typed before the script came
    router.visit(signUp)
  }

  return (
    <form className="hero-start" action={signUp} onSubmit={onSubmit} noValidate>
      <EmailField name="" autoComplete="username" required={false} />
      <div className="hero-actions">
        <Button type="submit" look="primary">
          {t('Create your account')}
        </Button>
        <ButtonLink href={paths.signInPage().url}>{t('I already have an account')}</ButtonLink>
      </div>
    </form>
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
