type Ways = {
  hasPassword: boolean
  passkeys: number
  providers: string[] | null
  /** Of how many workspaces. */
  singleSignOns: number
  secondFactorAt: Date | null
}

/** How somebody can sign in, for operators, in English. */
export function waysIn({ hasPassword, passkeys, providers, singleSignOns, secondFactorAt }: Ways) {
  const ways = hasPassword ? ['password'] : []
  if (passkeys > 0) ways.push(passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`)
  ways.push(...(providers ?? []))
  if (singleSignOns > 0) ways.push('single sign-on')
  if (secondFactorAt) ways.push('second factor')
  return ways
}
