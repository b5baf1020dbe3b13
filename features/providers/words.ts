import { text } from '../../plugins/languages/text.ts'
import type { FirstWords } from '../auth/methods.ts'

/** What providers are called, also those that are not offered any more. How they differ is in kinds.ts. */
const names = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
}
export type NamedProvider = keyof typeof names
export const providerNames: Record<string, string> = names

export const providerWords: FirstWords = {
  alone(id, offered) {
    const provider = offered.find((each) => each.id === id)?.name ?? providerNames[id]
    return provider === undefined ? text('with single sign-on') : text('with {provider}', { provider })
  },
}
