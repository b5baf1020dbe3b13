import { usePage } from '@inertiajs/react'
import { use, useState } from 'react'
import type { Flash, PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { AppName } from '../shared/brand.tsx'
import { Heading } from '../shared/heading.tsx'
import { t } from '../words/t.ts'
import { Identities } from './identities.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Setup } from './setup.tsx'
import { VerifyFirst } from './verify-first.tsx'

export default function Security(props: PageProps<'settings/security'>) {
  const { second_factor, passkeys, auth } = props
  const { user } = auth
  const { flash } = usePage()
  // sent once, but shown until the next action
  const [shown, setShown] = useState<Flash>(flash)
  const show = ({ flash }: { flash: Flash }) => flash.alert || setShown(flash)
  const appName = use(AppName)
  const addable = user?.verified ?? false

  return (
    <>
      <Heading title={t('Security')}>{t('How you prove that it is you, besides your password.')}</Heading>
      {user && !user.verified && <VerifyFirst email={user.email} />}
      {shown.recovery_codes && (
        <RecoveryCodes codes={shown.recovery_codes} appName={appName} onDone={() => setShown({})} />
      )}
      {shown.setup && !second_factor && <Setup setup={shown.setup} onDone={show} />}
      <SecondFactor factor={second_factor} addable={addable} onChange={show} />
      <Passkeys passkeys={passkeys} addable={addable} />
      <Identities {...props} addable={addable} />
    </>
  )
}

Security.layout = [AppLayout, SettingsLayout]
