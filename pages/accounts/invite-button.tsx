import { UserPlus } from 'lucide-react'
import { lazy } from 'react'
import type { AccountProps } from '../../features/accounts/props.ts'
import { Opener } from '../popups/opener.tsx'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'

const load = () => import('./invite-dialog.tsx')
const InviteDialog = lazy(load)

export const InviteButton = ({ account }: { account: AccountProps }) => (
  <Opener
    opens="dialog"
    load={load}
    opened={typeof location !== 'undefined' && location.hash === '#invite'} // as the first steps name it
    trigger={
      <Button look="primary">
        <UserPlus aria-hidden="true" />
        {t('Invite')}
      </Button>
    }
  >
    {(trigger) => <InviteDialog trigger={trigger} account={account} />}
  </Opener>
)
