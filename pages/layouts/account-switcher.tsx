import { router, usePage } from '@inertiajs/react'
import { ChevronsUpDown, Mail, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { AccountReference, OpenInvitation } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import type { SharedProps } from '../../plugins/inertia/pages.ts'
import { plainLetters } from '../../plugins/languages/plain.ts'
import { Menu, MenuLink, MenuSeparator } from '../popups/menu.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { byName } from '../words/locale.ts'
import { rich, t } from '../words/t.ts'
import { invitedName, workspaceName } from '../words/workspace.tsx'

type Props = {
  accounts?: AccountReference[] | undefined
  invitations?: OpenInvitation[] | undefined
  current?: AccountReference | undefined
}

const manyAccounts = 10

export function AccountSwitcher({ accounts = [], invitations = [], current }: Props) {
  const [text, setText] = useState('')
  const { personal_account } = usePage<SharedProps & Record<string, unknown>>().props

  const isSearched = text.trim() !== ''
  const isCurrent = ({ slug }: AccountReference) => !isSearched && slug === current?.slug
  const matches = accounts
    .filter(({ name, slug }) => plainLetters(`${name} ${slug}`).includes(plainLetters(text.trim())))
    .sort((one, other) => Number(isCurrent(other)) - Number(isCurrent(one)) || byName(one, other))

  return (
    <Menu
      trigger={
        <button type="button" className="switcher">
          {current && <Avatar of={current.name} name={current.name} picture={current.picture} />}
          {current && <span className="visually-hidden">{t('Workspace:')} </span>}
          <span className="switcher-name" dir="auto">
            {current ? workspaceName(current) : t('Workspaces')}
          </span>
          {invitations.length > 0 && (
            <span className="switcher-invited">
              <span className="visually-hidden">{t('You have open invitations')}</span>
            </span>
          )}
          <ChevronsUpDown />
        </button>
      }
      name={t('Your workspaces')}
      head={
        accounts.length > manyAccounts && (
          <input
            className="menu-search"
            type="search"
            dir="auto"
            aria-label={t('Search your workspaces')}
            placeholder={t('Search')}
            value={text}
            onInput={({ currentTarget: { value } }) => setText(value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && isSearched && matches.length > 0) openFirst(event)
              // The menu would use letters to jump to its items.
              if (!['Escape', 'ArrowDown', 'ArrowUp', 'Tab'].includes(event.key)) event.stopPropagation()
            }}
          />
        )
      }
      foot={
        <MenuLink href={paths.newAccount().url}>
          <Plus />
          <span className="menu-text">{t('New workspace')}</span>
        </MenuLink>
      }
    >
      <Refresh />
      {matches.map(({ name, slug, picture, personal }) => (
        <MenuLink key={slug} href={paths.account(slug).url} current={slug === current?.slug}>
          <Avatar of={name} name={name} picture={picture} />
          <span className="menu-text menu-name" dir="auto">
            {workspaceName({ name, ...(personal && { personal }) })}
          </span>
          {slug === personal_account && <span className="badge">{t('Personal')}</span>}
        </MenuLink>
      ))}
      {matches.length === 0 && accounts.length > 0 && <p className="menu-note">{t('No workspaces match.')}</p>}
      {accounts.length > 0 && invitations.length > 0 && <MenuSeparator />}
      {invitations.map(({ id, ...invitation }) => (
        <MenuLink key={id} href={paths.openInvitation(id).url}>
          <Mail />
          <span className="menu-text">{rich('Invitation to {account}', { account: invitedName(invitation) })}</span>
        </MenuLink>
      ))}
    </Menu>
  )
}

/** Part of the open menu: accounts may have been renamed since the list came. */
function Refresh() {
  useEffect(
    () => router.reload({ only: ['accounts', 'open_invitations', 'personal_account'], showProgress: false }),
    [],
  )
  return null
}

// As a press of it does, which also closes the menu.
const openFirst = ({ currentTarget }: KeyboardEvent<HTMLInputElement>) =>
  currentTarget.closest('.menu')?.querySelector<HTMLElement>('[role="menuitem"]')?.click()
