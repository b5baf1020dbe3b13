import { router, useFormContext } from '@inertiajs/react'
import { mailCodesPaths } from '../../features/mail-codes/paths.ts'
import { asciiAddress } from '../forms/ascii-address.ts'
import type { GuestContext } from '../places.ts'
import { t } from '../words/t.ts'

/** Takes the address along that was typed into the form around it. */
export function MailCodeButton({ invitation, returnTo }: GuestContext) {
  const form = useFormContext()
  const send = () => {
    const { email } = form?.getData() ?? {}
    if (!email) return form?.setError({ email: [t("can't be blank")] })
    const data = { email: asciiAddress(String(email)), invitation, return_to: returnTo }
    router.post(mailCodesPaths.requestMailCode().url, data)
  }
  return (
    <p className="auth-other">
      <button type="button" onClick={send}>
        {t('Email me a code')}
      </button>
    </p>
  )
}
