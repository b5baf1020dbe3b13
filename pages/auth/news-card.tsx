import { router } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import { asciiAddress } from '../forms/ascii-address.ts'
import { Button } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { rich, t } from '../words/t.ts'
import type { News } from './news.ts'

export function NewsCard({ kind, email: address, invitation }: News & { invitation: string | undefined }) {
  const [sending, setSending] = useState(false)
  const email = <strong dir="auto">{address}</strong>
  const sendAgain = () => {
    if (sending) return
    setSending(true)
    const options = { preserveScroll: true, onFinish: () => setSending(false) }
    router.post(paths.requestPasswordReset(invitation).url, { email: asciiAddress(address) }, options)
  }
  const titles = {
    asked: t('Check your email'),
    reset: t('Your password was reset successfully. Please sign in'),
    restored: t('Your email has been restored'),
  }

  return (
    <section className="card padded news-card" aria-label={titles[kind]}>
      <h2>
        <Icon name="mail" />
        {titles[kind]}
      </h2>
      <p>
        {kind === 'asked' &&
          rich(
            `You asked for a new password for {email}. If that email belongs to a verified account, we've sent reset
              instructions to it. The link works once and expires after 20 minutes.`,
            { email },
          )}
        {kind === 'reset' && rich('Sign in to {email} with your new password.', { email })}
        {kind === 'restored' && rich('We sent a link to {email} to choose a new password.', { email })}
      </p>
      {kind !== 'reset' && (
        <Button size="small" aria-disabled={sending} onClick={sendAgain}>
          {t('Send it again')}
        </Button>
      )}
    </section>
  )
}
