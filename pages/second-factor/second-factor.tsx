import { Smartphone } from 'lucide-react'
import type { ComponentProps } from 'react'
import { secondFactorPaths } from '../../features/second-factor/paths.ts'
import type { SecondFactorProps, SetupProps } from '../../features/second-factor/props.ts'
import { Form, Submit } from '../forms/form.tsx'
import { CodeField } from '../forms/more-fields.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { Button, SmallButton } from '../shared/button.tsx'
import { CopyButton } from '../shared/copy-once.tsx'
import { focusAtOnce } from '../shared/focus.ts'
import { Day } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { plural, rich, t } from '../words/t.ts'

type Props = {
  factor: SecondFactorProps | null
  addable: boolean
  onChange: ComponentProps<typeof Form>['onSuccess']
  onEnd(): void
}

export const SecondFactor = ({ factor, addable, onChange, onEnd }: Props) => (
  <Topic
    icon={Smartphone}
    title={
      <>
        {t('Authenticator app')} {factor && <span className="badge">{t('On')}</span>}
      </>
    }
    explanation={t(
      `An app on your phone shows a new code every 30 seconds. Signing in then takes your password and that code, so
        nobody gets in with just a stolen password.`,
    )}
    more={factor && <span>{rich('On since {time}.', { time: <Day at={factor.enabled_at} /> })}</span>}
    action={
      <>
        {factor && (
          <WithPassword
            title={t('Turn off two-factor authentication?')}
            action={t('Turn off')}
            look="danger"
            to={secondFactorPaths.endSecondFactor()}
            onSuccess={onEnd}
          >
            {t(
              `From then on, your password alone is enough to sign in, for you and for anyone else who may know it. Your
              recovery codes stop working.`,
            )}
          </WithPassword>
        )}
        {!factor && addable && (
          <WithPassword
            trigger={<SmallButton>{t('Set up')}</SmallButton>}
            title={t('Set up an authenticator app')}
            action={t('Set up')}
            to={secondFactorPaths.startSecondFactor()}
            onSuccess={onChange}
          >
            {t("First, we need to know it's you. Once the app is set up, you're signed out on all your other devices.")}
          </WithPassword>
        )}
      </>
    }
  >
    {factor && <RecoveryCodesLeft left={factor.recovery_codes_left} onChange={onChange} />}
  </Topic>
)

const RecoveryCodesLeft = ({ left, onChange }: { left: number } & Pick<Props, 'onChange'>) => (
  <div className="row row-plain">
    <div className="row-text">
      <strong>
        {left === 0
          ? t('No recovery codes left')
          : plural(left, '{count} recovery code is left', '{count} recovery codes left')}
      </strong>
      <span>{t("Each of them signs you in once when you don't have your phone.")}</span>
    </div>
    <WithPassword
      title={t('Create new recovery codes?')}
      action={t('Create new codes')}
      to={secondFactorPaths.renewRecoveryCodes()}
      onSuccess={onChange}
    >
      {t("You'll get ten new ones, and your current ones stop working.")}
    </WithPassword>
  </div>
)

type SetupParts = { setup: SetupProps; onDone: ComponentProps<typeof Form>['onSuccess']; onCancel(): void }

export const Setup = ({ setup, onDone, onCancel }: SetupParts) => (
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
            key: <code dir="ltr">{inFours(setup.secret)}</code>,
          })}
        </p>
        <CopyButton size="small" text={setup.secret} done={t('The key is copied.')}>
          {t('Copy the key')}
        </CopyButton>
      </li>
      <li>
        <p>{t('Enter the six digits the app shows now. You have ten minutes.')}</p>
        <Form to={secondFactorPaths.confirmSecondFactor()} onSuccess={onDone}>
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
