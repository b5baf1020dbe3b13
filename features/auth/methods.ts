import { type Text, text } from '../../plugins/languages/text.ts'

// How somebody signed in, in words, for pages and mails.

type Second = 'code' | 'recovery_code' | 'trusted_browser'
type Words = { alone: Text } & Partial<Record<Second, Text>>

const password: Words = {
  alone: text('with a password'),
  code: text('with a password and a code'),
  recovery_code: text('with a password and a recovery code'),
  trusted_browser: text('with a password in a trusted browser'),
}

const emailCode: Words = {
  alone: text('with a code by mail'),
  code: text('with a code by mail and one from an app'),
  recovery_code: text('with a code by mail and a recovery code'),
  trusted_browser: text('with a code by mail in a trusted browser'),
}

const singleSignOn: Words = {
  alone: text('with single sign-on'),
  code: text('with single sign-on and a code'),
  recovery_code: text('with single sign-on and a recovery code'),
  trusted_browser: text('with single sign-on in a trusted browser'),
}

const withProvider = (provider: string): Words => ({
  alone: text('with {provider}', { provider }),
  code: text('with {provider} and a code', { provider }),
  recovery_code: text('with {provider} and a recovery code', { provider }),
  trusted_browser: text('with {provider} in a trusted browser', { provider }),
})

/** What providers are called, also those that are not offered any more. Their files are in providers/kinds/. */
const names = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
}
export type NamedProvider = keyof typeof names
export const providerNames: Record<string, string> = names

const shape = /^(password|email_code|sso|passkey|provider:(\w+?))(?:_and_(code|recovery_code|trusted_browser))?$/

/** Undefined for what this version does not know, such as records of a newer one. */
export function methodInWords(method: string | undefined, providers: { id: string; name: string }[]) {
  const [, first, id = '', second] = shape.exec(method ?? '') ?? []
  const name = providers.find((provider) => provider.id === id)?.name ?? providerNames[id]
  const words = first && wordsOf(first, name)
  return words ? words[(second as Second | undefined) ?? 'alone'] : undefined
}

function wordsOf(first: string, provider: string | undefined): Words {
  if (first === 'password') return password
  if (first === 'email_code') return emailCode
  if (first === 'passkey') return { alone: text('with a passkey') }
  return provider === undefined ? singleSignOn : withProvider(provider)
}
