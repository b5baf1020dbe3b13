import type { FirstFactor, SecondStep, SessionFactors } from '../../drizzle/tables/sessions.ts'
import { type Text, text } from '../../plugins/languages/text.ts'

// How a session began, as one string for pages, exports and activities, and in words.

export function methodOf({ firstFactor, provider, secondFactor }: SessionFactors) {
  const first = provider ? `provider:${provider}` : firstFactor
  return secondFactor ? `${first}_and_${secondFactor}` : first
}

const first = 'password|email_code|sso|passkey|provider'
const second = 'code|recovery_code|trusted_browser'
const shape = new RegExp(`^(?<first>${first})(:(?<provider>\\w+?))?(_and_(?<second>${second}))?$`)

/** Undefined for what this version does not know, such as activities of a newer one. */
export function factorsIn(method: string): SessionFactors | undefined {
  const { first, provider, second } = shape.exec(method)?.groups ?? {}
  if (!first) return undefined
  return { firstFactor: first as FirstFactor, provider: provider ?? null, secondFactor: (second as SecondStep) ?? null }
}

type Words = { alone: Text } & Partial<Record<SecondStep, Text>>

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

const passkey: Words = { alone: text('with a passkey') }

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

/** Undefined for what this version does not know. */
export function methodInWords(method: string | undefined, providers: { id: string; name: string }[]) {
  const factors = factorsIn(method ?? '')
  return factors && wordsOf(factors, providers)[factors.secondFactor ?? 'alone']
}

function wordsOf({ firstFactor, provider }: SessionFactors, providers: { id: string; name: string }[]): Words {
  if (firstFactor === 'password') return password
  if (firstFactor === 'email_code') return emailCode
  if (firstFactor === 'passkey') return passkey
  const name = providers.find(({ id }) => id === provider)?.name ?? providerNames[provider ?? '']
  return name === undefined ? singleSignOn : withProvider(name)
}
