import { createContext } from 'react'

export type Links = { terms?: string; privacy?: string; imprint?: string; support?: string }

/** `options`: the names of those that are on. */
export type Site = { appName: string; languages: Record<string, string>; links: Links; options: string[] }

export const SiteContext = createContext<Site>({ appName: '', languages: {}, links: {}, options: [] })
