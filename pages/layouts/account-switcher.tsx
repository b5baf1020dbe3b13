import { ChevronsUpDown, Plus } from 'lucide-react'
import type { AccountReference } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { Avatar } from '../shared/avatar.tsx'
import { Menu, MenuLink, MenuSeparator } from '../shared/menu.tsx'

type Props = { accounts?: AccountReference[] | undefined; current?: AccountReference | undefined }

export function AccountSwitcher({ accounts = [], current }: Props) {
  return (
    <Menu
      trigger={
        <button type="button" className="switcher">
          {current && <Avatar name={current.name} />}
          {current && <span className="visually-hidden">Account: </span>}
          <span className="switcher-name" dir="auto">
            {current?.name ?? 'Accounts'}
          </span>
          <ChevronsUpDown aria-hidden="true" />
        </button>
      }
    >
      {accounts.map(({ name, slug }) => (
        <MenuLink key={slug} href={paths.account(slug).url} current={slug === current?.slug}>
          <Avatar name={name} />
          <span className="menu-text" dir="auto">
            {name}
          </span>
        </MenuLink>
      ))}
      {accounts.length > 0 && <MenuSeparator />}
      <MenuLink href={paths.newAccount().url}>
        <Plus aria-hidden="true" />
        <span className="menu-text">New account</span>
      </MenuLink>
    </Menu>
  )
}
