import { use } from 'react'
import { forgetDocumentErrors } from '../forms/document-errors.ts'
import { asTyped, Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { CodeField } from '../forms/more-fields.tsx'
import { SupportLink } from '../layouts/footer.tsx'
import type { SecondStepProps } from '../places.ts'
import { SiteContext } from '../shared/site.ts'
import { t } from '../words/t.ts'

const lost = 'recovery_code'

/** What to do. */
export function CodeLead({ page, way }: SecondStepProps) {
  if (!page.code) return null
  return way === lost
    ? t('Enter one of the recovery codes you saved when you turned on two-factor authentication.')
    : t('Open your authenticator app and enter the six digits it shows.')
}

/** The form for a code, and the choice to trust this browser, also by another step. */
export function CodeStep({ page, to, way, along, onAlong }: SecondStepProps) {
  const { code, email, auth } = page
  const trust = along.trust !== undefined
  const onChange = (trust: boolean) => onAlong(trust ? { trust: 'true' } : {})
  if (!code) return <Trust trust={trust} onChange={onChange} />
  return (
    <Form key={String(way === lost)} to={to}>
      <input type="hidden" name="email" value={email} />
      {way === lost ? (
        <RecoveryCodeField />
      ) : (
        <CodeField autoFocus hint={t('A new code appears every 30 seconds, and each works once.')} />
      )}
      {way !== lost && <Trust trust={trust} onChange={onChange} />}
      <Submit>{auth.user ? t('Continue') : t('Sign in')}</Submit>
    </Form>
  )
}

/** Below all steps: what to do without the app. */
export function WithoutApp({ page, way, onWay }: SecondStepProps) {
  const { appName } = use(SiteContext)
  const change = () => {
    forgetDocumentErrors() // what was wrong with the one says nothing about the other
    onWay(way === lost ? undefined : lost)
  }
  if (!page.code) return null
  return (
    <>
      <p className="auth-other">
        <button type="button" onClick={change}>
          {way === lost ? t('Use my authenticator app') : t('Use a recovery code')}
        </button>
      </p>
      {way === lost && (
        <p className="auth-other">
          {t("Lost both? Ask the {appName} team to turn it off once they have confirmed it's you.", { appName })}{' '}
          <SupportLink />
        </p>
      )}
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
