import { environmentOf } from '../helpers/providers.ts'

// Nobody answers there, which comes after limits and challenges.
export const environment = environmentOf('http://127.0.0.1:1')
export const parameters = { provider: 'oidc' }
