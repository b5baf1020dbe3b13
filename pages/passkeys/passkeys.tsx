import { type FormComponentRef, HttpResponseError } from '@inertiajs/core'
import { KeyRound } from 'lucide-react'
import { maxPasskeyNameLength, maxPasskeys } from '../../features/passkeys/bounds.ts'
import { passkeysPaths } from '../../features/passkeys/paths.ts'
import type { PasskeyProps } from '../../features/passkeys/props.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { NameField } from '../forms/field.tsx'
import { useHydrated } from '../hooks/store.ts'
import { FormDialog, WithPassword } from '../popups/with-password.tsx'
import { LastUse, NoMore, Removable } from '../settings/removable.tsx'
import { SmallButton } from '../shared/button.tsx'
import { loaded } from '../shared/part.ts'
import { Day } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { dismissAlert, showAlert } from '../visits/alerts.ts'
import { tooMany } from '../visits/failures.ts'
import { sentenceOf } from '../words/answers.ts'
import { rich, t } from '../words/t.ts'

export const Passkeys = ({ passkeys = [], auth }: PageProps<'settings/security'>) => (
  <Topic
    id="passkeys"
    tabIndex={-1}
    icon={KeyRound}
    title={t('Passkeys')}
    explanation={t(
      `A passkey is stored on your phone, on your computer or in your password manager, and unlocks the same way as your
        device: with your fingerprint, face or PIN. It replaces your password and code, and nobody can trick you into
        giving it away.`,
    )}
    action={auth.user?.verified && <AddPasskey isFull={passkeys.length >= maxPasskeys} />}
  >
    <Removable
      items={passkeys}
      text={({ name, created_at, last_used_at, synced }) => (
        <>
          <strong dir="auto">{name}</strong>
          <span>
            {rich('Added {day}, {use}', { day: <Day at={created_at} />, use: <LastUse at={last_used_at} /> })}
          </span>
          <span>{synced ? t('Synced: on all your devices with that account') : t('On one device only')}</span>
        </>
      )}
      actions={(passkey, onRemoved) => (
        <>
          <Rename passkey={passkey} />
          <Remove passkey={passkey} onRemoved={onRemoved} />
        </>
      )}
    />
  </Topic>
)

const Remove = ({ passkey: { id, name }, onRemoved }: { passkey: PasskeyProps; onRemoved(): void }) => (
  <WithPassword
    trigger={<SmallButton aria-label={t('Remove {name}', { name })}>{t('Remove')}</SmallButton>}
    title={t('Remove this passkey?')}
    action={t('Remove')}
    look="danger"
    to={passkeysPaths.removePasskey(id)}
    onSuccess={onRemoved}
  >
    {rich('{name} will no longer sign you in. Your device may keep showing it until you delete it there, too.', {
      name,
    })}
  </WithPassword>
)

const Rename = ({ passkey: { id, name } }: { passkey: PasskeyProps }) => (
  <FormDialog
    title={t('Rename this passkey')}
    explanation={t('Name it after the device or the password manager that stores it.')}
    trigger={<SmallButton aria-label={t('Rename {name}', { name })}>{t('Rename')}</SmallButton>}
    action={t('Rename')}
    to={passkeysPaths.renamePasskey(id)}
  >
    <NameField maxLength={maxPasskeyNameLength} autoComplete="off" defaultValue={name} />
  </FormDialog>
)

function AddPasskey({ isFull }: { isFull: boolean }) {
  const alive = useHydrated()
  if (alive && !('PublicKeyCredential' in window)) {
    return <p className="row-note">{t("This browser can't store passkeys. Try another one, or your phone.")}</p>
  }
  if (isFull) return <NoMore why={t('You have 20 passkeys already')}>{t('Add')}</NoMore>

  return (
    <WithPassword
      trigger={<SmallButton aria-label={t('Add a passkey')}>{t('Add')}</SmallButton>}
      title={t('Add a passkey')}
      action={t('Add')}
      to={passkeysPaths.passkeyOptions()}
      instead={make}
    >
      {t("First, we need to know it's you. Then your device asks where to save the passkey and how to unlock it.")}
    </WithPassword>
  )
}

async function make(form: FormComponentRef, close: () => void, signal: AbortSignal) {
  dismissAlert()
  try {
    const maker = await loaded(() => import('./make.ts'))
    if (!maker) return close()
    const { errors, message } = (await maker.makePasskey(form.getData(), signal)) ?? {}
    if (signal.aborted) return
    if (errors) return form.setError(errors)
    close()
    if (message) showAlert({ text: sentenceOf(message) })
  } catch (error) {
    if (signal.aborted) return
    close()
    showAlert({ text: explain(error) })
  }
}

function explain(error: unknown) {
  if (error instanceof Error && error.name === 'InvalidStateError')
    return t('You already have a passkey on this device.')
  if (error instanceof HttpResponseError && error.response.status === 429) return tooMany()
  return t('That did not work. Please try again in a moment.')
}
