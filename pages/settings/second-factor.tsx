import { Smartphone } from 'lucide-react'
import type { ComponentProps } from 'react'
import { paths } from '../../features/paths.ts'
import type { SecondFactorProps } from '../../features/second-factor/props.ts'
import type { Form } from '../forms/form.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { Button } from '../shared/button.tsx'
import { Time } from '../shared/time.tsx'
import { plural, rich, t } from '../words/t.ts'

type Props = { factor: SecondFactorProps | null; addable: boolean; onChange: ComponentProps<typeof Form>['onSuccess'] }

/** The state of the authenticator app, and how to change it. */
export const SecondFactor = ({ factor, addable, onChange }: Props) => (
  <section className="card">
    <div className="row">
      <Smartphone className="row-icon" aria-hidden="true" />
      <div className="row-text">
        <h2>
          {t('Authenticator app')} {factor && <span className="badge">{t('On')}</span>}
        </h2>
        <span>
          {t(
            `An app on your phone shows a new code every half minute. Signing in then takes your password and that
              code, so that nobody gets in with a stolen password alone.`,
          )}
        </span>
        {factor && <span>{rich('On since {time}.', { time: <Time at={factor.enabled_at} /> })}</span>}
      </div>
      {factor && (
        <WithPassword
          trigger={<Button size="small">{t('Turn off')}</Button>}
          title={t('Turn off two-factor authentication?')}
          action={t('Turn off')}
          look="danger"
          to={paths.endSecondFactor()}
          onSuccess={onChange}
        >
          {t(
            `From then on your password alone is enough to sign in, for you and for whoever else may know it. Your
              recovery codes stop working.`,
          )}
        </WithPassword>
      )}
      {!factor && addable && (
        <WithPassword
          trigger={<Button size="small">{t('Set up')}</Button>}
          title={t('Set up an authenticator app')}
          action={t('Continue')}
          to={paths.startSecondFactor()}
          onSuccess={onChange}
        >
          {t(
            `First, we need to know that it is you, so that nobody else at your screen can do this. Once the app is set
              up, you are signed out on all your other devices.`,
          )}
        </WithPassword>
      )}
    </div>
    {factor && <RecoveryCodesLeft left={factor.recovery_codes_left} onChange={onChange} />}
  </section>
)

const RecoveryCodesLeft = ({ left, onChange }: { left: number } & Pick<Props, 'onChange'>) => (
  <div className="row row-plain">
    <div className="row-text">
      <strong>
        {left === 0
          ? t('No recovery code is left')
          : plural(left, '{count} recovery code is left', '{count} recovery codes are left')}
      </strong>
      <span>{t('Each of them signs you in once when your phone is not at hand.')}</span>
    </div>
    <WithPassword
      trigger={<Button size="small">{t('Make new codes')}</Button>}
      title={t('Make new recovery codes?')}
      action={t('Make new codes')}
      to={paths.renewRecoveryCodes()}
      onSuccess={onChange}
    >
      {t('You get ten new ones, and those that you have now stop working.')}
    </WithPassword>
  </div>
)
