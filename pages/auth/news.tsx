import { useForm } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import { asciiAddress } from '../forms/ascii-address.ts'
import { storeOf } from '../hooks/store.ts'
import { SmallButton } from '../shared/button.tsx'
import { Icon } from '../shared/icon.tsx'
import { take } from '../visits/flashes.ts'
import { forget, keep, kept } from '../visits/storage.ts'
import { rich, t } from '../words/t.ts'

const name = 'sign-in-news'
const lifetimeMs = 20 * 60_000 // that of the link in the mail

export type News = { kind: 'asked' | 'reset'; email: string }

// The sign-in page renders before the callback of the form runs that leads there.
const store = storeOf(current, undefined)

export const useNews = (): News | undefined => {
  const json = store.use()
  return json && JSON.parse(json)
}

/** In place of the server's notice, and for longer. */
export function showSignInNotice(news: News) {
  take('notice')
  keep(name, { ...news, at: Date.now() })
  store.changed()
}

export function forgetNews() {
  forget(name)
  store.changed()
}

function current() {
  const json = kept(name)
  return json && Date.now() - JSON.parse(json).at < lifetimeMs ? json : undefined
}

export function NewsCard({ kind, email: address, invitation }: News & { invitation: string | undefined }) {
  const { submit, processing } = useForm({ email: asciiAddress(address) })
  const email = <strong dir="auto">{address}</strong>
  const sendAgain = () => processing || submit(paths.requestPasswordReset(invitation), { preserveScroll: true })
  const titles = {
    asked: t('Check your email'),
    reset: t('Your new password works.'),
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
      </p>
      {kind !== 'reset' && (
        <SmallButton aria-disabled={processing} onClick={sendAgain}>
          {t('Send it again')}
        </SmallButton>
      )}
    </section>
  )
}
