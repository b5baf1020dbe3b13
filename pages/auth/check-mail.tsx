import { router } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import { asciiAddress } from '../forms/ascii-address.ts'
import { Button } from '../shared/button.tsx'
import { MailIcon } from '../shared/icons.tsx'
import { rich, t } from '../words/t.ts'

/** Shown after a password reset was requested, for as long as its link works. The same for every address. */
export function CheckMail({ email, invitation }: { email: string; invitation: string | undefined }) {
  const [sending, setSending] = useState(false)

  const sendAgain = () => {
    if (sending) return
    setSending(true)
    const options = { preserveScroll: true, onFinish: () => setSending(false) }
    router.post(paths.requestPasswordReset(invitation).url, { email: asciiAddress(email) }, options)
  }

  return (
    <section className="card check-mail" aria-label={t('Check your email')}>
      <h2>
        <MailIcon />
        {t('Check your email')}
      </h2>
      <p>
        {rich(
          `You asked for a new password for {email}. If that email belongs to a verified account, we've sent reset
            instructions to it. The link works once and expires after 20 minutes.`,
          {
            email: (
              <strong>
                <bdi>{email}</bdi>
              </strong>
            ),
          },
        )}
      </p>
      <Button size="small" aria-disabled={sending} onClick={sendAgain}>
        {t('Send it again')}
      </Button>
    </section>
  )
}
