import { InvalidResponse, ProviderUnavailable } from './failures.ts'

/** For `npm run check`: what a provider says to our id and secret, in words. `help` is what to do, by what failed. */
export const accepted = (check: () => Promise<unknown>, help: Record<string, string> = {}) =>
  check().catch((error) => {
    if (error instanceof InvalidResponse) throw new Error(`it says ${error.reason}`)
    const reason = error instanceof ProviderUnavailable ? error.reason : 'unreachable'
    throw new Error(`it cannot be reached (${reason})${help[reason] ? `: ${help[reason]}` : ''}`)
  })
