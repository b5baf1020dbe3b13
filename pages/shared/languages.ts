import { createContext } from 'react'

/** Names of the languages that can be chosen, by their tags. */
export const Languages = createContext<Record<string, string>>({})
