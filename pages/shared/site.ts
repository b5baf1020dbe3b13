import { createContext } from 'react'

export type Links = { terms?: string; privacy?: string; imprint?: string }

export type Site = { appName: string; languages: Record<string, string>; links: Links }

export const SiteContext = createContext<Site>({ appName: '', languages: {}, links: {} })
