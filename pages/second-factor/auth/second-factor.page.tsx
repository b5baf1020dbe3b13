import { Link } from '@inertiajs/react'
import { use, useState } from 'react'
import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { forgetDocumentErrors } from '../../forms/document-errors.ts'
import { asTyped, Field } from '../../forms/field.tsx'
import { Form, Submit } from '../../forms/form.tsx'
import { CodeField } from '../../forms/more-fields.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { PasskeyButton } from '../../passkeys/passkey-button.tsx'
import { Heading } from '../../shared/heading.tsx'
import { SiteContext } from '../../shared/site.ts'
import { rich, t } from '../../words/t.ts'

type Props = PageProps<'auth/second-factor'>

export default function SecondFactor({ code, passkey, email, return_to, auth: { user } }: Props) {
  const [lost, setLost] = useState(false)
  const [trust, setTrust] = useState(false)
  // sent once, and needed until the proof is right
  const [returnTo] = useState(return_to)
  const to = paths.proveSecondFactor(returnTo)
  const { appName } = use(SiteContext)
  const change = () => {
    forgetDocumentErrors() // what was wrong with the one says nothing about the other
    setLost(!lost)
  }

  return (
    <>
      <Heading title={t("Confirm it's you")}>
        {!user && rich('You are signing in as {email}.', { email })}{' '}
        {user && t('This page requires a second factor, and you signed in with only a password.')}{' '}
        {code && !lost && t('Open your authenticator app and enter the six digits it shows.')}
        {code && lost && t('Enter one of the recovery codes you saved when you turned on two-factor authentication.')}
      </Heading>
      {code && (
        <Form key={String(lost)} to={to}>
          <input type="hidden" name="email" value={email} />
          {lost ? (
            <RecoveryCodeField />
          ) : (
            <CodeField autoFocus hint={t('A new code appears every 30 seconds, and each works once.')} />
          )}
          {!lost && <Trust trust={trust} onChange={setTrust} />}
          <Submit>{user ? t('Continue') : t('Sign in')}</Submit>
        </Form>
      )}
      {passkey && !code && <Trust trust={trust} onChange={setTrust} />}
      {passkey && (
        <PasskeyButton
          key={String(trust)}
          to={to}
          data={{ email, ...(trust && { trust: 'true' }) }}
          label={t('Use a passkey')}
        >
          {code
            ? t('Instead of a code, use your fingerprint, face or device PIN.')
            : t('Use your fingerprint, face or device PIN.')}
        </PasskeyButton>
      )}
      {code && (
        <p className="auth-other">
          <button type="button" onClick={change}>
            {lost ? t('Use my authenticator app') : t('Use a recovery code')}
          </button>
        </p>
      )}
      {code && lost && (
        <p className="auth-other">
          {t("Lost both? Ask the {appName} team to turn it off once they have confirmed it's you.", { appName })}
        </p>
      )}
      <p className="auth-other">
        {user
          ? rich('Not now? {link}', { link: <Link href={paths.security().url}>{t('Go to your settings')}</Link> })
          : rich('Not you? {link}', { link: <Link href={paths.signInPage().url}>{t('Start again')}</Link> })}
      </p>
    </>
  )
}

const Trust = ({ trust, onChange }: { trust: boolean; onChange(trust: boolean): void }) => (
  <label className="check">
    <input
      type="checkbox"
      name="trust"
      value="true"
      checked={trust}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {t('Trust this browser for 30 days')}
  </label>
)

const RecoveryCodeField = () => (
  <Field
    name="code"
    label={t('Recovery code')}
    hint={t("16 letters and digits, or 24 in older ones. Spaces, dashes and capitalization don't matter.")}
    {...asTyped}
    autoCapitalize="characters"
    autoComplete="off"
    autoFocus
    required
  />
)

SecondFactor.layout = AuthLayout
