import { router, usePage } from '@inertiajs/react'
import { MonitorCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { secondFactorPaths } from '../../features/second-factor/paths.ts'
import type { Flash, PageProps } from '../../plugins/inertia/pages.ts'
import { SmallButton } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { Topic } from '../shared/topic.tsx'
import { plural, t } from '../words/t.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useContinueToWorkspace } from './required-by.tsx'
import { SecondFactor, Setup } from './second-factor.tsx'

// By the user. Recovery codes are sent once, and someone who goes back must find them again.
const unsaved = new Map<number, Flash>()

/** The authenticator app on the page of security settings, and what was just made for it. */
export function AppSecurity({ auth, ...props }: PageProps<'settings/security'>) {
  const { second_factor = null, required_by = [], trusted_browsers = 0 } = props
  const { user } = auth
  const id = user?.id ?? 0
  const { flash } = usePage()
  // sent once, but shown until the next action
  const [shown, setShown] = useState<Flash>(() =>
    flash.recovery_codes || !second_factor ? flash : (unsaved.get(id) ?? flash),
  )
  const show = ({ flash }: { flash: Flash }) => flash.alert || setShown(flash)
  const isSettingUp = shown.setup !== undefined && !second_factor
  const [areKept, setKept] = useState(false)
  // The codes come together with the answer that opens the workspace, and are shown a moment later.
  useContinueToWorkspace(required_by, !areKept && (shown.recovery_codes ?? flash.recovery_codes) !== undefined)
  const forget = () => unsaved.clear()
  const hide = () => {
    setShown({})
    focusHeading()
  }
  const keep = () => {
    setKept(true)
    forget()
    hide()
  }
  useEffect(() => {
    if (shown.recovery_codes) unsaved.set(id, shown)
  }, [id, shown])

  return (
    <>
      {shown.recovery_codes && <RecoveryCodes codes={shown.recovery_codes} onDone={keep} onLeave={forget} />}
      {shown.setup && isSettingUp ? (
        <Setup setup={shown.setup} onDone={show} onCancel={hide} />
      ) : (
        <SecondFactor factor={second_factor} addable={user?.verified ?? false} onChange={show} onEnd={hide} />
      )}
      {trusted_browsers > 0 && <TrustedBrowsers count={trusted_browsers} />}
    </>
  )
}

const TrustedBrowsers = ({ count }: { count: number }) => (
  <Topic
    icon={MonitorCheck}
    title={t('Trusted browsers')}
    explanation={plural(
      count,
      '{count} browser signs in without a second step.',
      '{count} browsers sign in without a second step.',
    )}
    action={
      <SmallButton
        onClick={() =>
          router.delete(secondFactorPaths.forgetTrustedBrowsers().url, {
            preserveScroll: true,
            onSuccess: focusHeading,
          })
        }
      >
        {t('Forget all')}
      </SmallButton>
    }
  />
)
