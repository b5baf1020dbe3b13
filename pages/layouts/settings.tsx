import { Link, usePage } from '@inertiajs/react'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { paths } from '../../features/paths.ts'
import type { SharedProps } from '../../plugins/inertia/pages.ts'
import { usePendingPath } from '../visits/own-visits.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { AppLayout, useLastAccount } from './app.tsx'
import { Footer } from './footer.tsx'
import { settingsSections } from './settings-sections.ts'

export const settingsLayouts = [AppLayout, SettingsLayout]

type Props = SharedProps & { children: ReactNode }

function SettingsLayout({ accounts, children }: Props) {
  const last = useLastAccount(undefined)
  const account = accounts?.find(({ slug }) => slug === last)
  const here = usePage().url.split('?')[0]
  const pending = usePendingPath()
  const marked = settingsSections.some(({ path }) => path === pending) ? pending : here
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
          <Link className="settings-back" prefetch href={paths.account(account.slug).url}>
            <ArrowLeft aria-hidden="true" />
            <span>{rich('Back to {name}', { name: workspaceName(account) })}</span>
          </Link>
        )}
        {settingsSections.map(({ name, path }) => (
          <Link key={path} href={path} prefetch aria-current={path === marked ? 'page' : undefined}>
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
