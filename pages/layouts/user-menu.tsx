import { lazy } from 'react'
import type { UserProps } from '../../features/auth/props.ts'
import { Opener } from '../popups/opener.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { rich } from '../words/t.ts'

const load = () => import('./person-menu.tsx')
const PersonMenu = lazy(load)

type Props = { user: UserProps; picture: string | null | undefined; sessionId: string }

export const UserMenu = ({ user, picture, sessionId }: Props) => (
  <Opener
    opens="menu"
    load={load}
    trigger={
      <button type="button" className="user-button">
        <span className="visually-hidden">{rich('Menu of {name}', { name: <bdi>{user.name}</bdi> })}</span>
        <Avatar name={user.name} picture={picture} round />
      </button>
    }
  >
    {(trigger) => <PersonMenu trigger={trigger} user={user} sessionId={sessionId} />}
  </Opener>
)
