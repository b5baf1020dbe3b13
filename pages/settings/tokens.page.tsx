import { router, usePage } from '@inertiajs/react'
import { KeySquare, Plus } from 'lucide-react'
import type { TokenProps } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { NameField } from '../forms/field.tsx'
import { SelectField } from '../forms/more-fields.tsx'
import { useHydrated } from '../hooks/store.ts'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Ask } from '../popups/dialog.tsx'
import { FormDialog } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { CopyOnce } from '../shared/copy-once.tsx'
import { Heading } from '../shared/heading.tsx'
import { Day } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { plural, rich, t } from '../words/t.ts'
import { LastUse, NoMore, Removable } from './removable.tsx'
import { VerifyFirst } from './verify-first.tsx'

const most = 20
const lifetimes = [7, 30, 90, 365]

export default function Tokens({ tokens, auth: { user } }: PageProps<'settings/tokens'>) {
  const { flash } = usePage()
  const isVerified = user?.verified ?? false
  const now = useNow()
  const isFull = tokens.filter((token) => !isExpired(token, now)).length >= most

  return (
    <>
      <Heading title={t('Tokens')}>
        {t('A token lets a program or an app use the API as you. Treat it like a password.')}
      </Heading>
      <VerifyFirst />
      <CopyOnce label={t('Your new token')} text={flash.token} copied={t('The token is copied.')}>
        {t("You won't see this token again. Keep it where only your program can read it.")}
      </CopyOnce>
      <Topic
        icon={KeySquare}
        title={t('Your tokens')}
        explanation={tokens.length === 0 && t('You have no tokens yet.')}
        action={isVerified && <CreateToken isFull={isFull} />}
      >
        <Removable
          items={tokens}
          text={(token) => <Token {...token} isExpired={isExpired(token, now)} />}
          actions={({ id, name }, onRemoved) => (
            <Ask
              trigger={<SmallButton aria-label={t('Revoke {name}', { name })}>{t('Revoke')}</SmallButton>}
              title={t('Revoke this token?')}
              explanation={rich('Programs that use {name} lose access at once.', { name })}
              action={t('Revoke')}
              onConfirm={() => router.delete(paths.revokeToken(id).url, { preserveScroll: true, onSuccess: onRemoved })}
            />
          )}
        />
      </Topic>
    </>
  )
}

function CreateToken({ isFull }: { isFull: boolean }) {
  const label = (
    <>
      <Plus aria-hidden="true" />
      {t('Create a token')}
    </>
  )
  if (isFull) return <NoMore why={t('You have 20 tokens already')}>{label}</NoMore>
  return (
    <FormDialog
      title={t('Create a token')}
      explanation={t('The name tells you later which program uses it.')}
      trigger={<SmallButton>{label}</SmallButton>}
      action={t('Create a token')}
      to={paths.createToken()}
    >
      <NameField maxLength={60} autoComplete="off" />
      <SelectField name="scope" label={t('Access')} defaultValue="read">
        <option value="read">{t('Read only')}</option>
        <option value="write">{t('Read and write')}</option>
      </SelectField>
      <SelectField name="days" label={t('Expires in')} defaultValue="90">
        {lifetimes.map((days) => (
          <option key={days} value={days}>
            {plural(days, '{count} day', '{count} days')}
          </option>
        ))}
      </SelectField>
      <CurrentPasswordField />
    </FormDialog>
  )
}

const isExpired = ({ expires_at }: TokenProps, now: number) => Date.parse(expires_at) <= now

/** The browser's time, which the server cannot know: until then, nothing has expired. */
const useNow = () => (useHydrated() ? Date.now() : 0)

function Token({ name, scope, created_at, expires_at, last_used_at, isExpired }: TokenProps & { isExpired: boolean }) {
  const day = <Day at={expires_at} />

  return (
    <>
      <strong dir="auto">{name}</strong>
      <span>{scope === 'read' ? t('Read only') : t('Read and write')}</span>
      <span>{rich('Added {day}, {use}', { day: <Day at={created_at} />, use: <LastUse at={last_used_at} /> })}</span>
      <span>{isExpired ? rich('Expired {day}', { day }) : rich('Expires {day}', { day })}</span>
    </>
  )
}

Tokens.layout = settingsLayouts
