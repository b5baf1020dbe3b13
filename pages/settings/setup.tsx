import type { ComponentProps } from 'react'
import { paths } from '../../features/paths.ts'
import type { SetupProps } from '../../features/second-factor/props.ts'
import { Form, Submit } from '../forms/form.tsx'
import { CodeField } from '../forms/more-fields.tsx'
import { Button } from '../shared/button.tsx'
import { CopyButton } from '../shared/copy-once.tsx'
import { focusAtOnce } from '../shared/focus.ts'
import { rich, t } from '../words/t.ts'

type Props = { setup: SetupProps; onDone: ComponentProps<typeof Form>['onSuccess']; onCancel(): void }

export const Setup = ({ setup, onDone, onCancel }: Props) => (
  <section className="card padded setup">
    <h2 ref={focusAtOnce} tabIndex={-1}>
      {t('Set up your app')}
    </h2>
    <ol className="setup-steps">
      <li>
        <p>{t('Open an authenticator app on your phone. Many password managers work, too.')}</p>
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
        <CopyButton size="small" text={setup.secret} done={t('The key is copied.')}>
          {t('Copy the key')}
        </CopyButton>
      </li>
      <li>
        <p>{t('Enter the six digits the app shows now. You have ten minutes.')}</p>
        <Form to={paths.confirmSecondFactor()} onSuccess={onDone}>
          <CodeField />
          <div className="actions">
            <Submit>{t('Turn on')}</Submit>
            <Button onClick={onCancel}>{t('Cancel')}</Button>
          </div>
        </Form>
      </li>
    </ol>
  </section>
)

export const inFours = (text: string) => text.match(/.{1,4}/g)?.join(' ')
