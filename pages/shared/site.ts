import { createContext } from 'react'

export type Links = { terms?: string; privacy?: string; imprint?: string }

/** `hasSso`: workspaces may have single sign-on. */
export type Site = { appName: string; languages: Record<string, string>; links: Links; hasSso: boolean }

export const SiteContext = createContext<Site>({ appName: '', languages: {}, links: {}, hasSso: false })
