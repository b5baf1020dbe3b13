import { type ReactNode, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { asTyped, Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { SelectField } from '../forms/more-fields.tsx'
import { t } from '../words/t.ts'
import { guideOf, guides, ProviderGuide } from './provider-guides.tsx'
import { asIssuer } from './understood.ts'

type Connection = PageProps<'accounts/sso-setup'>['connection']

type Props = {
  to: Path
  connection: Connection
  redirectTo: string
  onSaved?(): void
  /** What confirms who saves it. */
  children?: ReactNode
}

/** What to do at the provider, and what it gives in return. */
export function ProviderForm({ to, connection, redirectTo, onSaved, children }: Props) {
  const [id, setId] = useState(connection ? (guideOf(connection.issuer) ?? 'other') : '')
  const isKnown = id === 'google' // its address is the same for everybody

  return (
    <>
      <SelectField
        name="provider"
        label={t('Your provider')}
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
      >
        <option value="" disabled>
          {t('Choose one')}
        </option>
        {Object.entries(guides).map(([each, { name }]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
        <option value="other">{t('Another one')}</option>
      </SelectField>
      {id && (
        <>
          <ProviderGuide id={id} redirectTo={redirectTo} />
          <Form to={to} onSuccess={({ flash }) => flash.alert || onSaved?.()}>
            <Field
              key={id}
              name="issuer"
              label={t('Issuer')}
              inputMode="url"
              placeholder={guides[id]?.issuer ?? 'https://login.example.com'}
              defaultValue={connection?.issuer ?? (isKnown ? guides[id]?.issuer : undefined)}
              hint={
                guides[id]
                  ? t('It looks like {pattern}', { pattern: guides[id].issuer })
                  : t('The address of the provider, or of its openid-configuration.')
              }
              {...asIssuer}
              required
              sentences={{ [t('is invalid')]: () => t('An issuer begins with https, and has no “?” or “#” in it.') }}
            />
            <Field
              name="client_id"
              label={t('Client ID')}
              autoComplete="off"
              defaultValue={connection?.client_id}
              {...asTyped}
              required
            />
            <Field
              name="client_secret"
              type="password"
              label={t('Client secret')}
              autoComplete="off"
              required={!connection}
              hint={connection && t('Leave empty to keep the current one.')}
            />
            {children}
            <Submit>{t('Save provider')}</Submit>
          </Form>
        </>
      )}
    </>
  )
}
