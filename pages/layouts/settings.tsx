import { Link, usePage } from '@inertiajs/react'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { paths } from '../../features/paths.ts'
import type { SharedProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { features } from '../features.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { AppLayout, useLastAccount } from './app.tsx'
import { Footer } from './footer.tsx'

const sections = [
  { name: text('Profile'), path: paths.profile().url },
  { name: text('Email'), path: paths.email().url },
  { name: text('Password'), path: paths.password().url },
  { name: text('Security'), path: paths.security().url },
  { name: text('Tokens'), path: paths.tokens().url },
  { name: text('Sessions'), path: paths.sessions().url },
  { name: text('Activity'), path: paths.activity().url },
  { name: text('Appearance'), path: paths.appearance().url },
  ...features.flatMap(({ settingsTab: tab }) => (tab ? [{ name: tab.name, path: tab.path.url }] : [])),
]

export const settingsLayouts = [AppLayout, SettingsLayout]

type Props = SharedProps & { children: ReactNode }

function SettingsLayout({ accounts, children }: Props) {
  const last = useLastAccount(undefined)
  const account = accounts?.find(({ slug }) => slug === last)
  const here = usePage().url.split('?')[0]
  const nav = useRef<HTMLElement>(null)

  // On phones the list scrolls sideways, so bring the current entry into view. The way back and the typeface come later
  // on a page that the server rendered, and push it out again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page and change of the list
  useEffect(() => {
    const show = () =>
      nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
    show()
    document.fonts.ready.then(show)
  }, [here, account?.slug])

  return (
    <div className="settings">
      <nav className="settings-nav" aria-label={t('Settings')} ref={nav}>
        {account && (
          <Link className="settings-back" href={paths.account(account.slug).url}>
            <ArrowLeft aria-hidden="true" />
            <span>{rich('Back to {name}', { name: workspaceName(account) })}</span>
          </Link>
        )}
        {sections.map(({ name, path }) => (
          <Link key={path} href={path} aria-current={path === here ? 'page' : undefined}>
            {t(name)}
          </Link>
        ))}
      </nav>
      <div className="settings-section">
        {children}
        <Footer />
      </div>
    </div>
  )
}
