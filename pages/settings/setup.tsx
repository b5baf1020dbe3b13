import type { ComponentProps } from 'react'
import { paths } from '../../features/paths.ts'
import type { SetupProps } from '../../features/second-factor/props.ts'
import { CodeField } from '../forms/code-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { rich, t } from '../words/t.ts'

type Props = { setup: SetupProps; onDone: ComponentProps<typeof Form>['onSuccess'] }

/** Shows the secret for the authenticator app and asks for a first code. */
export const Setup = ({ setup, onDone }: Props) => (
  <section className="card setup">
    <h2>{t('Set up your app')}</h2>
    <ol className="setup-steps">
      <li>
        <p>{t('Open an authenticator app on your phone. Many password managers are one, too.')}</p>
      </li>
      <li>
        <p>{t('Scan this picture with it.')}</p>
        <img
          className="setup-picture"
          src={`data:image/svg+xml,${encodeURIComponent(setup.qr)}`}
          alt={t('The key below as a QR code')}
        />
        <p>
          {rich('No camera? {link}, or type this key: {key}', {
            link: <a href={setup.uri}>{t('Open the app on this device')}</a>,
            key: <code>{inFours(setup.secret)}</code>,
          })}
        </p>
      </li>
      <li>
        <p>{t('Type the six digits that the app shows now. You have ten minutes.')}</p>
        <Form to={paths.confirmSecondFactor()} onSuccess={onDone}>
          <CodeField />
          <Submit>{t('Turn on')}</Submit>
        </Form>
      </li>
    </ol>
  </section>
)

export const inFours = (text: string) => text.match(/.{1,4}/g)?.join(' ')
