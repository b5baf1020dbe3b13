import { KeyRound } from 'lucide-react'
import type { PasskeyProps } from '../../features/passkeys/props.ts'
import { paths } from '../../features/paths.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { Button } from '../shared/button.tsx'
import { Day, Time } from '../shared/time.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { RenamePasskey } from './rename-passkey.tsx'

const most = 20

/** The user's passkeys. */
export const Passkeys = ({ passkeys, addable }: { passkeys: PasskeyProps[]; addable: boolean }) => (
  <section className="card">
    <div className="row">
      <KeyRound className="row-icon" aria-hidden="true" />
      <div className="row-text">
        <h2>Passkeys</h2>
        <span>
          A passkey is kept by your phone, your computer or your password manager, and opens as the device does: with
          your finger, your face or a PIN. It takes the place of password and code, and nobody can trick you into giving
          it away.
        </span>
      </div>
      {addable && passkeys.length < most && <AddPasskey />}
    </div>
    {passkeys.length > 0 && (
      <ul>
        {passkeys.map((passkey) => (
          <Passkey key={passkey.id} passkey={passkey} />
        ))}
      </ul>
    )}
  </section>
)

const Passkey = ({ passkey }: { passkey: PasskeyProps }) => (
  <li className="row row-plain passkey" tabIndex={-1}>
    <div className="row-text">
      <strong dir="auto">{passkey.name}</strong>
      <span>
        Added <Day at={passkey.created_at} />,{' '}
        {passkey.last_used_at ? (
          <>
            used <Time at={passkey.last_used_at} relative />
          </>
        ) : (
          'not used yet'
        )}
      </span>
      <span>{passkey.synced ? 'Synced: on all your devices with that account' : 'On one device only'}</span>
    </div>
    <div className="row-actions">
      <RenamePasskey passkey={passkey} />
      <WithPassword
        trigger={
          <Button size="small">
            Remove<span className="visually-hidden"> {passkey.name}</span>
          </Button>
        }
        title="Remove this passkey?"
        action="Remove"
        look="danger"
        to={paths.removePasskey(passkey.id)}
      >
        <bdi>{passkey.name}</bdi> signs nobody in from then on. Your device may go on showing it until you delete it
        there, too.
      </WithPassword>
    </div>
  </li>
)
