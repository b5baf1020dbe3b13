import type { JWTPayload } from 'jose'

/** `url` is where the provider is, and the issuer of those that speak OpenID. */
export type ProviderConfig = {
  id: string
  name: string
  url: string
  clientId: string
  clientSecret: string
  tenant?: string
}

/** What the claims of a provider prove, and how it is asked. */
export type ProviderRules = {
  requireTenant?(claims: JWTPayload): void
  isEmailVerified(claims: JWTPayload): boolean
  /** Claims requested from the userinfo endpoint if the token lacks them. */
  wanted: string[]
  /** How the client proves its secret, if the provider does not say. */
  secretIn: 'header' | 'body'
  /** Asked for from the provider: `openid email profile` unless it is given. */
  scope?: string
}
