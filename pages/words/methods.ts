import type { Provider } from '../../features/auth/props.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { t } from './t.ts'

const own: Record<string, Text> = {
  password: text('with a password'),
  password_and_code: text('with a password and a code'),
  password_and_recovery_code: text('with a password and a recovery code'),
  password_and_trusted_browser: text('with a password in a trusted browser'),
  passkey: text('with a passkey'),
}

/** What providers are called that are not offered any more. */
export const formerly: Record<string, string> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
}

function withProvider(method: string, offers: Provider[]) {
  const [, id, second] = /^provider:(\w+?)(?:_and_(\w+))?$/.exec(method) ?? []
  if (!id) return undefined
  const provider = offers.find((offer) => offer.id === id)?.name ?? formerly[id] ?? t('single sign-on')
  if (second === 'code') return t('with {provider} and a code', { provider })
  if (second === 'trusted_browser') return t('with {provider} in a trusted browser', { provider })
  if (second === 'recovery_code') return t('with {provider} and a recovery code', { provider })
  return t('with {provider}', { provider })
}

/** How someone signed in. Nothing for what is not known, such as records of before. */
export function withMethod(method: string | undefined, offers: Provider[]) {
  const known = own[method ?? '']
  return known ? t(known) : withProvider(method ?? '', offers)
}
