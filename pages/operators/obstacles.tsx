import type { ReactNode } from 'react'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Time } from '../shared/time.tsx'
import { locale } from '../words/locale.ts'
import { plural, rich, t } from '../words/t.ts'

type Props = Pick<PageProps<'operators/user'>, 'user' | 'ways' | 'mails' | 'obstacles'>

/** Answers first what most people ask an operator: why they can't get in. */
export function Obstacles({ user, ways, mails, obstacles: others }: Props) {
  const { paused_until, recovery_codes_left, requiring } = others
  const { suspended_at, suspension_reason, factor_locked_until, verified } = user
  const failed = mails.filter(({ state }) => state === 'failed').length
  const obstacles: [key: string, sentence: ReactNode][] = []
  if (suspended_at) {
    const time = <Time at={suspended_at} />
    const sentence = suspension_reason
      ? rich('Suspended since {time}: {reason}', { time, reason: suspension_reason })
      : rich('Suspended since {time}', { time })
    obstacles.push(['suspended', sentence])
  }
  if (!ways.some((way) => way !== 'second factor')) obstacles.push(['no way', t('No way to sign in is left')])
  if (paused_until) {
    const time = <Time at={paused_until} />
    obstacles.push(['paused', rich('Too many wrong tries: new browsers are refused until {time}', { time })])
  }
  if (factor_locked_until) {
    const time = <Time at={factor_locked_until} />
    obstacles.push(['locked', rich('Codes of the app are locked until {time}, after too many wrong ones', { time })])
  }
  if (recovery_codes_left === 0) obstacles.push(['codes', t('All recovery codes are used up')])
  const hasTwoFactors = ways.some((way) => way === 'second factor' || isPasskeys(way))
  for (const { id, name, is_owner, second_factor, sso } of requiring) {
    if (second_factor && !hasTwoFactors)
      obstacles.push([`factor ${id}`, rich('{name} requires a second factor, and they have none', { name })])
    if (sso && !(is_owner && hasTwoFactors))
      obstacles.push([`sso ${id}`, rich('{name} opens only with single sign-on', { name })])
  }
  if (!verified) obstacles.push(['unverified', t('The email is not verified, so nothing but a verification is mailed')])
  if (failed > 0) obstacles.push(['mails', plural(failed, '{count} mail failed', '{count} mails failed')])

  return (
    <div className="card padded operators-why">
      <h2 id="why">{t("Why can't they get in?")}</h2>
      {obstacles.length === 0 && <p>{t('Nothing here keeps them out.')}</p>}
      <ul hidden={obstacles.length === 0}>
        {obstacles.map(([key, sentence]) => (
          <li key={key}>{sentence}</li>
        ))}
      </ul>
      <p className="muted">{rich('Ways in: {ways}', { ways: listOf(ways.map(wayInWords)) || t('None.') })}</p>
    </div>
  )
}

const listOf = (words: string[]) => new Intl.ListFormat(locale(), { type: 'unit' }).format(words)

const isPasskeys = (way: string) => /^\d+ passkeys?$/.test(way)

function wayInWords(way: string) {
  if (way === 'password') return t('password')
  if (way === 'code by mail') return t('code by mail')
  if (way === 'single sign-on') return t('Single sign-on')
  if (way === 'second factor') return t('second factor')
  const [, passkeys] = /^(\d+) passkeys?$/.exec(way) ?? []
  return passkeys ? plural(Number(passkeys), '{count} passkey', '{count} passkeys') : way
}
