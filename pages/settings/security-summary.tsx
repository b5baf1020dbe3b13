import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { plural, t } from '../words/t.ts'

type Props = Pick<
  PageProps<'settings/security'>,
  'second_factor' | 'passkeys' | 'identities' | 'auth' | 'without_password'
>

/** What protects the account and leads back into it, and the worst that is missing. */
export function SecuritySummary(props: Props) {
  const { second_factor, passkeys, auth } = props
  const isVerified = auth.user?.verified ?? false
  const ways = waysIn(props)
  const hasSecondFactor = second_factor !== null || passkeys.length > 0
  const codes = second_factor?.recovery_codes_left

  return (
    <section className="card padded security-summary" aria-labelledby="security-summary">
      <h2 id="security-summary" className="visually-hidden">
        {t('Summary')}
      </h2>
      <ul>
        <Fact isFine={isVerified}>{isVerified ? t('Email verified') : t('Email not verified')}</Fact>
        <Fact isFine={ways > 1}>{plural(ways, '{count} way to sign in', '{count} ways to sign in')}</Fact>
        <Fact isFine={hasSecondFactor}>{hasSecondFactor ? t('Second factor on') : t('No second factor')}</Fact>
        {codes !== undefined && (
          <Fact isFine={codes > few}>
            {codes === 0
              ? t('No recovery codes left')
              : plural(codes, '{count} recovery code', '{count} recovery codes')}
          </Fact>
        )}
      </ul>
      <p>{worstGap(props) ?? t('Nothing is missing.')}</p>
    </section>
  )
}

const Fact = ({ isFine, children }: { isFine: boolean; children: ReactNode }) => (
  <li data-fine={isFine}>
    {isFine ? <Check /> : <TriangleAlert />}
    {children}
  </li>
)

const few = 2 // recovery codes

/** The app is a part of signing in with the password, and no way of its own. */
const waysIn = ({ passkeys, identities, without_password }: Props) =>
  passkeys.length + identities.length + (without_password ? 0 : 1)

/** What would hurt first: being locked out, then somebody else getting in. */
function worstGap(props: Props) {
  const { second_factor, passkeys, auth, without_password } = props
  const codes = second_factor?.recovery_codes_left
  const isOnlyWay = waysIn(props) < 2
  if (!auth.user?.verified) return t('If you forget your password, nothing leads back. Verify your email.')
  if (passkeys.length === 0 && codes === 0) return t('One lost phone would lock you out. Add a passkey.')
  if (isOnlyWay && passkeys[0]?.synced === false) return t('One lost device would lock you out. Set a password.')
  if (passkeys.length === 0 && !second_factor && !without_password)
    return t('A stolen password is enough to sign in as you. Add a passkey.')
  if (isOnlyWay) return t('There is only one way in. Add a passkey.')
  if (codes !== undefined && codes <= few) return t('Create new recovery codes before you need one.')
  return undefined
}
