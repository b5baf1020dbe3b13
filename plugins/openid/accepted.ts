import { InvalidResponse, ProviderUnavailable } from './failures.ts'

/** For `npm run check`: what a provider says to our id and secret, in words. */
export const accepted = (check: () => Promise<unknown>) =>
  check().catch((error) => {
    if (error instanceof InvalidResponse) throw new Error(`it says ${error.reason}`)
    const reason = error instanceof ProviderUnavailable ? error.reason : 'unreachable'
    const help = reason === 'private_address' ? ': set SSO_PRIVATE_ISSUERS=allow' : ''
    throw new Error(`it cannot be reached (${reason})${help}`)
  })
