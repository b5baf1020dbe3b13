import { client } from './issuer.ts'

/** The settings of a provider of the site at this address. */
export const environmentOf = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_NAME: 'Acme ID',
})
