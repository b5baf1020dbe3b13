import { router, useFormContext } from '@inertiajs/react'
import { mailCodesPaths } from '../../features/mail-codes/paths.ts'
import { asLastUsed, LastUsed } from '../auth/last-used.tsx'
import { asciiAddress } from '../forms/ascii-address.ts'
import type { WayProps } from '../places.ts'
import { Button } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { t } from '../words/t.ts'

/** Takes the address along that was typed into the form around it. */
export function MailCodeButton({ page, invitation, returnTo, shows }: WayProps) {
  const form = useFormContext()
  const isLast = page.last_method === 'email_code'
  if (!shows('email_code')) return null
  const send = () => {
    const { email } = form?.getData() ?? {}
    if (!email) return form?.setError({ email: [t("can't be blank")] })
    const data = { email: asciiAddress(String(email)), invitation, return_to: returnTo }
    router.post(mailCodesPaths.requestMailCode().url, data)
  }
  return (
    <Button onClick={send} {...asLastUsed(isLast)}>
      <Icon name="mail" /> {t('Email me a code')} {isLast && <LastUsed />}
    </Button>
  )
}
