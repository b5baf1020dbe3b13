import { Link, router, usePage } from '@inertiajs/react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { AccountReference, InAccount } from '../../features/accounts/props.ts'
import { may } from '../../features/accounts/rights.ts'
import { paths } from '../../features/paths.ts'
import type { SharedProps } from '../../plugins/inertia/pages.ts'
import type { Feature } from '../feature.ts'
import { features } from '../features.ts'
import { storeOf } from '../hooks/store.ts'
import { type Message, useStreamLost } from '../live/connection.ts'
import { accountChannel, useChannel, useLiveReload, usePresence } from '../live/hooks.ts'
import { reload } from '../live/reload.ts'
import { FeaturesContext } from '../parts/around.tsx'
import { useOn } from '../parts/on.ts'
import { Mark } from '../shared/brand.tsx'
import { showAlert } from '../visits/alerts.ts'
import { remember, remembered } from '../visits/storage.ts'
import { t } from '../words/t.ts'
import { AccountSwitcher } from './account-switcher.tsx'
import { Boundary } from './boundary.tsx'
import { Footer } from './footer.tsx'
import { Connection, PageAlert, SkipLink } from './page-alert.tsx'
import { PaletteButton } from './palette-button.tsx'
import { SettingsNavigation } from './settings-navigation.tsx'
import { type Tab, Tabs } from './tabs.tsx'
import { UserMenu } from './user-menu.tsx'
import { VerificationBanner } from './verification-banner.tsx'

type Props = SharedProps & {
  account?: AccountReference
  membership?: InAccount['membership']
  children: ReactNode
}

export function AppLayout(props: Props) {
  const { auth, picture, accounts, open_invitations, account, membership, children } = props
  const channel = account && accountChannel(account.slug)
  const lastSlug = useLastSlug(account?.slug)
  const lastAccount = accounts?.find(({ slug }) => slug === lastSlug) // they may have left it, or it may be deleted
  const canManage = membership !== undefined && may(membership.role, 'members.manage')
  const on = useOn(features)
  const rooms = account ? roomsOf(account, membership, on) : []
  const isInSettings = usePage().url.startsWith('/settings/')
  useLiveReload(channel, { account: ['account', 'accounts'] })
  usePresence(channel)
  const isLost = useStreamLost()
  const reason = useRef<Message>(undefined)
  useChannel(channel, {
    onRejected() {
      if (account) exitAccount(account, reason.current)
      reason.current = undefined
    },
    onMessage(message) {
      router.flushAll() // what was prefetched may be outdated
      const { type, user_id } = message
      const isOwn = user_id === auth.user?.id
      if (type === 'picture' && isOwn) reload(['picture']) // from another tab
      if (type === 'verified' && isOwn) reload(['auth', 'open_invitations', 'first_steps'])
      if (type === 'deleted' || (type === 'removed' && isOwn)) reason.current = message
    },
  })

  return (
    <div className="shell" data-lost={isLost}>
      <SkipLink />
      <header className="shell-header">
        <div className="shell-bar">
          <Link className="shell-home" href={paths.dashboard().url} aria-label={t('Dashboard')}>
            <Mark />
          </Link>
          <AccountSwitcher accounts={accounts} invitations={open_invitations} current={account ?? lastAccount} />
          {auth.user && auth.session && (
            <>
              <PaletteButton
                account={account}
                accounts={accounts}
                rooms={rooms}
                canManage={canManage}
                sessionId={auth.session.id}
              />
              <UserMenu user={auth.user} picture={picture} sessionId={auth.session.id} />
            </>
          )}
        </div>
        {account && <Tabs label={t('Workspace')} tabs={rooms} />}
        {isInSettings && <SettingsNavigation account={lastAccount} />}
        <Connection isReconnecting={isLost} />
      </header>
      {auth.user && <VerificationBanner user={auth.user} />}
      {/* Nothing that someone typed stays for the next person. */}
      <main key={auth.user?.id} className="shell-main">
        <PageAlert />
        <FeaturesContext value={features}>
          <Boundary>{children}</Boundary>
        </FeaturesContext>
      </main>
      <Footer />
    </div>
  )
}

function roomsOf(account: AccountReference, membership: Props['membership'], on: Feature[]): Tab[] {
  const role = membership?.role
  const tabs = on
    .flatMap(({ tab = [] }) => tab)
    .filter(({ right, shared }) => (!right || (role && may(role, right))) && !(shared && membership?.personal))
  const shown = (isBeside: boolean) =>
    tabs
      .filter(({ besideSettings = false }) => besideSettings === isBeside)
      .map(({ name, path }) => ({ name: t(name), path: path(account.slug).url }))
  return [
    { name: t('Overview'), path: paths.account(account.slug).url },
    { name: t('Members'), path: paths.members(account.slug).url },
    ...shown(false),
    ...(role && may(role, 'activity.read')
      ? [{ name: t('Activity'), path: paths.accountActivity(account.slug).url }]
      : []),
    ...(role && may(role, 'workspace.rename')
      ? [{ name: t('Settings'), path: paths.accountSettings(account.slug).url }]
      : []),
    ...shown(true),
  ]
}

/**
 * For people who lose access while viewing the account: they were removed, it was deleted, or it now requires more than
 * their session has proved.
 */
function exitAccount({ name }: { name: string }, reason: Message | undefined) {
  let isExplained = false
  router.visit(paths.dashboard().url, {
    replace: true,
    onSuccess: ({ flash }) => {
      isExplained = flash.alert !== undefined
    },
    onFinish: () => isExplained || showAlert({ text: explain(name, reason) }),
  })
}

function explain(name: string, { type, by = '', by_token }: Message = {}) {
  if (type === 'removed' && by_token) return t('The token {by} removed you from {name}.', { by, name })
  if (type === 'removed') return t('{by} removed you from {name}.', { by, name })
  if (type === 'deleted') return t('{by} deleted {name}.', { by, name })
  return t('You no longer have access to {name}.', { name })
}

const key = 'last-account'
const store = storeOf(() => remembered(key), undefined)

/** The slug of this page's account, or of the last one in this browser, so that settings lead back to it. */
function useLastSlug(slug: string | undefined) {
  const last = store.use()
  useEffect(() => {
    if (slug) remember(key, slug)
  }, [slug])
  return slug ?? last
}
