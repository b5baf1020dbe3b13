import { router } from '@inertiajs/react'
import { LogOut, Settings } from 'lucide-react'
import type { UserProps } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import { type Theme, useTheme } from '../hooks/theme.ts'
import { Parts } from '../parts/parts.tsx'
import { Menu, MenuAction, MenuChoice, MenuLink, MenuSeparator } from '../popups/menu.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { Name } from '../shared/name.ts'
import { themes } from '../shared/themes.ts'
import { rich, t } from '../words/t.ts'

type Props = { user: UserProps; picture: string | null | undefined; sessionId: string }

export function UserMenu({ user, picture, sessionId }: Props) {
  const [theme, chooseTheme] = useTheme()
  const looks = themes.map(({ value, name, icon: Icon }) => ({
    value,
    content: (
      <>
        <Icon />
        <span className="menu-text">{t(name)}</span>
      </>
    ),
  }))

  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="user-button">
          <span className="visually-hidden">{rich('Menu of {name}', { name: user.name })}</span>
          <Avatar of={user.id} name={user.name} picture={picture} round />
        </button>
      }
    >
      <div className="menu-person">
        <strong>
          <Name>{user.name}</Name>
        </strong>
        <bdi>{user.email}</bdi>
      </div>
      <MenuSeparator />
      <MenuLink href={paths.profile().url}>
        <Settings />
        <span className="menu-text">{t('Settings')}</span>
      </MenuLink>
      <Parts of="menu" with={{}} />
      <MenuSeparator />
      <MenuChoice<Theme> label={t('Theme')} value={theme} options={looks} onChange={chooseTheme} />
      <MenuSeparator />
      <MenuAction onClick={() => signOut(sessionId)}>
        <LogOut />
        <span className="menu-text">{t('Sign out')}</span>
      </MenuAction>
    </Menu>
  )
}

export function signOut(sessionId: string) {
  router.delete(paths.endSession(sessionId).url)
  router.flushAll() // prefetched pages must not outlive the session
}
