import { KeyRound } from 'lucide-react'
import { useRef } from 'react'
import type { PasskeyProps } from '../../features/passkeys/props.ts'
import { paths } from '../../features/paths.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { Button } from '../shared/button.tsx'
import { Day } from '../shared/day.tsx'
import { focusRow } from '../shared/focus-row.ts'
import { Time } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'
import { AddPasskey } from './add-passkey.tsx'
import { Rename } from './rename.tsx'

const most = 20

export const Passkeys = ({ passkeys, addable }: { passkeys: PasskeyProps[]; addable: boolean }) => (
  <section className="card" id="passkeys" tabIndex={-1}>
    <div className="row">
      <KeyRound className="row-icon" aria-hidden="true" />
      <div className="row-text">
        <h2>{t('Passkeys')}</h2>
        <span>
          {t(
            `A passkey is stored on your phone, on your computer or in your password manager, and unlocks the same way
              as your device: with your fingerprint, face or PIN. It replaces your password and code, and nobody can
              trick you into giving it away.`,
          )}
        </span>
      </div>
      {addable && passkeys.length < most && <AddPasskey />}
    </div>
    {passkeys.length > 0 && <List passkeys={passkeys} />}
  </section>
)

function List({ passkeys }: { passkeys: PasskeyProps[] }) {
  const rows = useRef<HTMLUListElement>(null)

  return (
    <ul ref={rows}>
      {passkeys.map((passkey, index) => (
        <Passkey key={passkey.id} passkey={passkey} onRemoved={() => focusRow(rows.current, index)} />
      ))}
    </ul>
  )
}

const Passkey = ({ passkey, onRemoved }: { passkey: PasskeyProps; onRemoved(): void }) => (
  <li className="row row-plain passkey" tabIndex={-1}>
    <div className="row-text">
      <strong dir="auto">{passkey.name}</strong>
      <span>
        {rich('Added {day}, {use}', {
          day: <Day at={passkey.created_at} />,
          use: passkey.last_used_at
            ? rich('used {time}', { time: <Time at={passkey.last_used_at} relative /> })
            : t('not used yet'),
        })}
      </span>
      <span>{passkey.synced ? t('Synced: on all your devices with that account') : t('On one device only')}</span>
    </div>
    <div className="row-actions">
      <Rename name={passkey.name} to={paths.renamePasskey(passkey.id)} title={t('Rename this passkey')}>
        {t('Name it after the device or the password manager that stores it.')}
      </Rename>
      <WithPassword
        trigger={
          <Button size="small" aria-label={t('Remove {name}', { name: passkey.name })}>
            {t('Remove')}
          </Button>
        }
        title={t('Remove this passkey?')}
        action={t('Remove')}
        look="danger"
        to={paths.removePasskey(passkey.id)}
        onSuccess={onRemoved}
      >
        {rich('{name} will no longer sign you in. Your device may keep showing it until you delete it there, too.', {
          name: <bdi>{passkey.name}</bdi>,
        })}
      </WithPassword>
    </div>
  </li>
)
