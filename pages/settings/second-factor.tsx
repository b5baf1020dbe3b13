import { Smartphone } from 'lucide-react'
import type { ComponentProps } from 'react'
import { paths } from '../../features/paths.ts'
import type { SecondFactorProps } from '../../features/second-factor/props.ts'
import type { Form } from '../forms/form.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { Button } from '../shared/button.tsx'
import { Time } from '../shared/time.tsx'

type Props = { factor: SecondFactorProps | null; addable: boolean; onChange: ComponentProps<typeof Form>['onSuccess'] }

/** The state of the authenticator app, and how to change it. */
export const SecondFactor = ({ factor, addable, onChange }: Props) => (
  <section className="card">
    <div className="row">
      <Smartphone className="row-icon" aria-hidden="true" />
      <div className="row-text">
        <h2>Authenticator app {factor && <span className="badge">On</span>}</h2>
        <span>
          An app on your phone shows a new code every half minute. Signing in then takes your password and that code, so
          that nobody gets in with a stolen password alone.
        </span>
        {factor && (
          <span>
            On since <Time at={factor.enabled_at} />.
          </span>
        )}
      </div>
      {factor && (
        <WithPassword
          trigger={<Button size="small">Turn off</Button>}
          title="Turn off two-factor authentication?"
          action="Turn off"
          look="danger"
          to={paths.endSecondFactor()}
          onSuccess={onChange}
        >
          From then on your password alone is enough to sign in, for you and for whoever else may know it. Your recovery
          codes stop working.
        </WithPassword>
      )}
      {!factor && addable && (
        <WithPassword
          trigger={<Button size="small">Set up</Button>}
          title="Set up an authenticator app"
          action="Continue"
          to={paths.startSecondFactor()}
          onSuccess={onChange}
        >
          First, we need to know that it is you, so that nobody else at your screen can do this.
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
          ? 'No recovery code is left'
          : left === 1
            ? '1 recovery code is left'
            : `${left} recovery codes are left`}
      </strong>
      <span>Each of them signs you in once when your phone is not at hand.</span>
    </div>
    <WithPassword
      trigger={<Button size="small">Make new codes</Button>}
      title="Make new recovery codes?"
      action="Make new codes"
      to={paths.renewRecoveryCodes()}
      onSuccess={onChange}
    >
      You get ten new ones, and those that you have now stop working.
    </WithPassword>
  </div>
)
