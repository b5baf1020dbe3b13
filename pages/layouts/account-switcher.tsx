import { ChevronsUpDown } from 'lucide-react'
import { lazy } from 'react'
import type { AccountReference, OpenInvitation } from '../../features/accounts/props.ts'
import { Opener } from '../popups/opener.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { t } from '../words/t.ts'

const load = () => import('./account-menu.tsx')
const AccountMenu = lazy(load)

type Props = {
  accounts?: AccountReference[] | undefined
  invitations?: OpenInvitation[] | undefined
  current?: AccountReference | undefined
}

export const AccountSwitcher = ({ accounts = [], invitations = [], current }: Props) => (
  <Opener
    opens="menu"
    load={load}
    trigger={
      <button type="button" className="switcher">
        {current && <Avatar name={current.name} picture={current.picture} />}
        {current && <span className="visually-hidden">{t('Workspace:')} </span>}
        <span className="switcher-name" dir="auto">
          {current?.name ?? t('Workspaces')}
        </span>
        {invitations.length > 0 && (
          <span className="switcher-invited">
            <span className="visually-hidden">{t('You have open invitations')}</span>
          </span>
        )}
        <ChevronsUpDown aria-hidden="true" />
      </button>
    }
  >
    {(trigger) => <AccountMenu trigger={trigger} accounts={accounts} invitations={invitations} current={current} />}
  </Opener>
)
