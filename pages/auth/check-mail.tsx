import { router } from '@inertiajs/react'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import { Button } from '../shared/button.tsx'
import { useRequestedReset } from '../visits/requested-reset.ts'

/** What follows a request for a new password, as long as its link works. It is the same for every address. */
export function CheckMail({ invitation }: { invitation: string | undefined }) {
  const email = useRequestedReset()
  const [sending, setSending] = useState(false)
  if (!email) return null

  const sendAgain = () => {
    if (sending) return
    setSending(true)
    const options = { preserveScroll: true, onFinish: () => setSending(false) }
    router.post(paths.requestPasswordReset(invitation).url, { email }, options)
  }

  return (
    <section className="card check-mail" aria-label="Check your mail">
      <h2>
        <MailCheck aria-hidden="true" />
        Check your mail
      </h2>
      <p>
        You asked for <strong>{email}</strong>. If that email belongs to a verified account, we've sent reset
        instructions to it. The link works once and for 20 minutes.
      </p>
      <Button size="small" aria-disabled={sending} onClick={sendAgain}>
        Send it again
      </Button>
    </section>
  )
}
