import type { ReactNode } from 'react'
import { Copyable } from '../accounts/copyable.tsx'
import { rich, t } from '../words/t.ts'

/** The words of a provider's own pages stay as it writes them. */
type Guide = {
  name: string
  create: string
  /** The field that wants our address. */
  redirect: string
  credentials: string
  /** What else is set there. */
  besides?: string
  issuer: string
  isTheirs?(issuer: string): boolean
}

const endsIn = (domain: string) => (issuer: string) => URL.canParse(issuer) && new URL(issuer).hostname.endsWith(domain)

export const guides: Record<string, Guide> = {
  okta: {
    name: 'Okta',
    create: 'Applications → Create App Integration → OIDC, Web Application',
    redirect: 'Sign-in redirect URIs',
    credentials: 'General → Client Credentials',
    besides: 'Assignments → Assign to People or Groups',
    issuer: 'https://DOMAIN.okta.com',
    isTheirs: endsIn('.okta.com'),
  },
  entra: {
    name: 'Microsoft Entra ID',
    create: 'App registrations → New registration, Single tenant',
    redirect: 'Redirect URI (Web)',
    credentials:
      'Overview → Application (client) ID, Directory (tenant) ID; Certificates & secrets → New client secret → Value',
    besides: 'Token configuration → Add optional claim → ID → email',
    issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
    isTheirs: endsIn('login.microsoftonline.com'),
  },
  google: {
    name: 'Google Workspace',
    create: 'Google Auth Platform → Clients → Create client → Web application',
    redirect: 'Authorized redirect URIs',
    credentials: 'Client ID, Client secret',
    besides: 'Audience → Internal',
    issuer: 'https://accounts.google.com',
    isTheirs: endsIn('accounts.google.com'),
  },
  keycloak: {
    name: 'Keycloak',
    create: 'Clients → Create client → OpenID Connect; Client authentication: On; Standard flow',
    redirect: 'Valid redirect URIs',
    credentials: 'Settings → Client ID; Credentials → Client Secret',
    issuer: 'https://HOST/realms/REALM',
    isTheirs: (issuer) => issuer.includes('/realms/'),
  },
  auth0: {
    name: 'Auth0',
    create: 'Applications → Create Application → Regular Web Application',
    redirect: 'Allowed Callback URLs',
    credentials: 'Settings → Basic Information',
    issuer: 'https://TENANT.auth0.com',
    isTheirs: endsIn('.auth0.com'),
  },
}

export const guideOf = (issuer: string) => Object.keys(guides).find((id) => guides[id]?.isTheirs?.(issuer))

export function ProviderGuide({ id, redirectTo }: { id: string; redirectTo: string }) {
  const guide = guides[id]
  return (
    <ol className="guide">
      <li>
        {guide
          ? rich('Create an application: {place}', { place: theirs(guide.create) })
          : t('Create a confidential OpenID Connect web application with the authorization code flow.')}
      </li>
      <li>
        {guide
          ? rich('Paste the redirect address into {place}.', { place: theirs(guide.redirect) })
          : t('Paste the redirect address where it asks for one.')}
        <Copyable label={t('Redirect address')} text={redirectTo} />
      </li>
      {guide?.besides && <li>{rich('Set this, too: {place}', { place: theirs(guide.besides) })}</li>}
      <li>
        {rich('It asks for the scopes {scopes} with PKCE (S256), and needs the claim {claim} in the answer.', {
          scopes: <code dir="ltr">openid email profile</code>,
          claim: <code dir="ltr">email</code>,
        })}
      </li>
      <li>
        {guide
          ? rich('Copy the client ID and the secret from there to here: {place}', { place: theirs(guide.credentials) })
          : t('Copy the client ID and the secret from there to here.')}
      </li>
    </ol>
  )
}

const theirs = (words: string): ReactNode => (
  <strong dir="ltr" lang="en">
    {words}
  </strong>
)
