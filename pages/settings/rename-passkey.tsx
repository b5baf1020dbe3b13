import { lazy } from 'react'
import type { PasskeyProps } from '../../features/passkeys/props.ts'
import { Opener } from '../popups/opener.tsx'
import { Button } from '../shared/button.tsx'
import { rich } from '../words/t.ts'

const load = () => import('./rename-dialog.tsx')
const RenameDialog = lazy(load)

export const RenamePasskey = ({ passkey }: { passkey: PasskeyProps }) => (
  <Opener
    trigger={
      <Button size="small">
        {rich('Rename {what}', { what: <bdi className="visually-hidden">{passkey.name}</bdi> })}
      </Button>
    }
    opens="dialog"
    load={load}
  >
    {(trigger) => <RenameDialog trigger={trigger} passkey={passkey} />}
  </Opener>
)
