import { router, usePage } from '@inertiajs/react'
import { MonitorCheck, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paths } from '../../features/paths.ts'
import { secondFactorPaths } from '../../features/second-factor/paths.ts'
import type { Flash, PageProps } from '../../plugins/inertia/pages.ts'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Passkeys } from '../passkeys/passkeys.tsx'
import { Identities } from '../providers/identities.tsx'
import { RecoveryCodes } from '../second-factor/recovery-codes.tsx'
import { SecondFactor, Setup } from '../second-factor/second-factor.tsx'
import { SmallButton } from '../shared/button.tsx'
import { focusHeading } from '../shared/focus.ts'
import { Heading } from '../shared/heading.tsx'
import { Topic } from '../shared/topic.tsx'
import { SingleSignOn } from '../single-sign-on/connected-sso.tsx'
import { plural, t } from '../words/t.ts'
import { SecuritySummary } from './security-summary.tsx'
import { VerifyFirst } from './verify-first.tsx'

// By the user. Recovery codes are sent once, and someone who goes back must find them again.
const unsaved = new Map<number, Flash>()

export default function Security(props: PageProps<'settings/security'>) {
  const { second_factor, passkeys, required_by, auth } = props
  const { user } = auth
  const id = user?.id ?? 0
  const { flash } = usePage()
  // sent once, but shown until the next action
  const [shown, setShown] = useState<Flash>(() =>
    flash.recovery_codes || !second_factor ? flash : (unsaved.get(id) ?? flash),
  )
  const show = ({ flash }: { flash: Flash }) => flash.alert || setShown(flash)
  const addable = user?.verified ?? false
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
      <Heading title={t('Security')}>{t("Ways to confirm it's you, besides your password.")}</Heading>
      {required_by.length > 0 && <RequiredBy accounts={required_by} />}
      {!shown.recovery_codes && !isSettingUp && <SecuritySummary {...props} />}
      <VerifyFirst />
      {shown.recovery_codes && <RecoveryCodes codes={shown.recovery_codes} onDone={keep} onLeave={forget} />}
      {shown.setup && isSettingUp ? (
        <Setup setup={shown.setup} onDone={show} onCancel={hide} />
      ) : (
        <SecondFactor factor={second_factor} addable={addable} onChange={show} onEnd={hide} />
      )}
      {props.trusted_browsers > 0 && <TrustedBrowsers count={props.trusted_browsers} />}
      <Passkeys passkeys={passkeys} addable={addable} />
      <Identities {...props} addable={addable} />
      {props.sso.length > 0 && <SingleSignOn sso={props.sso} />}
    </>
  )
}

/** Leads into the workspace that asked for a second factor, once there is one and its recovery codes are kept. */
function useContinueToWorkspace(required: { slug: string }[], isBusy: boolean) {
  const [asking, setAsking] = useState(required[0])
  const isOpen = asking !== undefined && required.length === 0 && !isBusy
  useEffect(() => {
    if (!isOpen) return
    setAsking(undefined)
    router.visit(paths.account(asking.slug).url)
  }, [isOpen, asking])
}

/** Says why someone is here instead of in their workspace, and what opens it. */
const RequiredBy = ({ accounts }: { accounts: { name: string; slug: string }[] }) => (
  <Topic
    role="status"
    icon={ShieldCheck}
    title={t('Two-factor authentication is required')}
    explanation={t('Set up an authenticator app or a passkey here. Then you can continue to:')}
    more={
      <ul>
        {accounts.map(({ name, slug }) => (
          <li key={slug}>
            <strong dir="auto">{name}</strong>
          </li>
        ))}
      </ul>
    }
  />
)

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

Security.layout = settingsLayouts
