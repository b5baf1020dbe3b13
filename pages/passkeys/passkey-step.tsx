import type { SecondStepProps } from '../places.ts'
import { t } from '../words/t.ts'
import { PasskeyButton } from './passkey-button.tsx'

export function PasskeyStep({ page, to, along }: SecondStepProps) {
  if (!page.passkey) return null
  const isInstead = 'code' in page && page.code
  return (
    <div className="auth-passkey">
      <PasskeyButton
        key={JSON.stringify(along)}
        to={to}
        data={{ email: page.email, ...along }}
        label={t('Use a passkey')}
      >
        {isInstead
          ? t('Instead of a code, use your fingerprint, face or device PIN.')
          : t('Use your fingerprint, face or device PIN.')}
      </PasskeyButton>
    </div>
  )
}
