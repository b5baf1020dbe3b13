import { usePage } from '@inertiajs/react'
import { createContext, use, useLayoutEffect } from 'react'
import { isolate } from '../words/t.ts'
import { AppName } from './brand.tsx'

/** Takes the title while the server renders. In the browser there is none, and the document gets it. */
export const TitleOfDocument = createContext((_title: string) => {})

/** Sets the title of the document: page, workspace, application. Inertia's Head would add an attribute to the element. */
export function Title({ text }: { text: string }) {
  const appName = use(AppName)
  const { account } = usePage<{ account?: { name: string } }>().props
  const workspace = account && isolate(account.name)
  const title = [text === account?.name ? undefined : text, workspace, appName].filter(Boolean).join(' · ')
  use(TitleOfDocument)(title)
  useLayoutEffect(() => {
    document.title = title
    return () => {
      document.title = appName
    }
  }, [title, appName])
  return null
}
