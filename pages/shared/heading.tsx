import { usePage } from '@inertiajs/react'
import { createContext, type ReactNode, use, useLayoutEffect } from 'react'
import { isolate } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { SiteContext } from './site.ts'

type Props = {
  title: string
  /** The title with elements in it. */
  shown?: ReactNode
  /** Above the title, so that every title begins where the header does. */
  picture?: ReactNode
  children?: ReactNode
}

export function Heading({ title, shown = title, picture, children }: Props) {
  return (
    <header className="heading">
      {picture}
      <Title text={title} />
      <h1 dir="auto" id="content" tabIndex={-1}>
        {shown}
      </h1>
      {children && <p className="heading-lead">{children}</p>}
    </header>
  )
}

export const TitleOfDocument = createContext((_title: string) => {})

/** Sets the document's title: page, workspace, application. Inertia's Head would add an attribute to the element. */
function Title({ text }: { text: string }) {
  const { appName } = use(SiteContext)
  const { account } = usePage<{ account?: { name: string; personal?: true } }>().props
  const workspace = account && workspaceName(account)
  const title = [text === workspace ? undefined : text, workspace && isolate(workspace), appName]
    .filter(Boolean)
    .join(' · ')
  use(TitleOfDocument)(title)
  useLayoutEffect(() => {
    document.title = title
    return () => {
      document.title = appName
    }
  }, [title, appName])
  return null
}
