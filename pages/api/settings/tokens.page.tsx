import { usePage } from '@inertiajs/react'
import { KeySquare, Plus } from 'lucide-react'
import { apiPaths } from '../../../features/api/paths.ts'
import type { TokenProps } from '../../../features/api/tokens/props.ts'
import { apiPrefix } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../../forms/current-password-field.tsx'
import { NameField } from '../../forms/field.tsx'
import { SelectField } from '../../forms/more-fields.tsx'
import { useHydrated } from '../../hooks/store.ts'
import { settingsLayouts } from '../../layouts/settings.tsx'
import { FormDialog } from '../../popups/with-password.tsx'
import { LastUse, NoMore, Removable } from '../../settings/removable.tsx'
import { VerifyFirst } from '../../settings/verify-first.tsx'
import { SmallButton } from '../../shared/button.tsx'
import { CopyOnce } from '../../shared/copy-once.tsx'
import { Facts } from '../../shared/facts.tsx'
import { Heading } from '../../shared/heading.tsx'
import { Day, Time } from '../../shared/time.tsx'
import { Topic } from '../../shared/topic.tsx'
import { plural, rich, t } from '../../words/t.ts'
import { dayMs, lifetimes, TokenActions } from '../token-actions.tsx'

const most = 20

export default function Tokens({ tokens, auth: { user } }: PageProps<'settings/tokens'>) {
  const { flash } = usePage()
  const isVerified = user?.verified ?? false
  const now = useNow()
  const origin = useHydrated() ? location.origin : ''
  const isFull = tokens.filter((token) => !isExpired(token, now)).length >= most

  return (
    <>
      <Heading title={t('Tokens')}>
        {t('A token lets a program or an app use the API as you. Treat it like a password.')}
      </Heading>
      <VerifyFirst />
      <CopyOnce
        label={t('Your new token')}
        text={flash.token}
        copied={t('The token is copied.')}
        command={{
          of: (token) => `curl "${origin}${apiPrefix}/me" -H "Authorization: Bearer ${token}"`,
          label: t('To try it, run this in a terminal:'),
          button: t('Copy the command'),
          copied: t('The command is copied.'),
        }}
      >
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
          text={(token) => <Token {...token} now={now} />}
          actions={(token, onRemoved) => <TokenActions token={token} onRevoked={onRemoved} />}
        />
      </Topic>
    </>
  )
}

function CreateToken({ isFull }: { isFull: boolean }) {
  const label = (
    <>
      <Plus />
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
      to={apiPaths.createToken()}
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

function Token({ now, ...token }: TokenProps & { now: number }) {
  const { name, scope, last_used_at } = token
  return (
    <Facts title={<bdi>{name}</bdi>}>
      {scope === 'read' ? t('Read only') : t('Read and write')}
      <LastUse at={last_used_at} />
      <Expiry token={token} now={now} />
    </Facts>
  )
}

/** With a warning in the last week. Last in its line, since only the browser knows how long it is. */
function Expiry({ token, now }: { token: TokenProps; now: number }) {
  const { expires_at } = token
  const day = <Day at={expires_at} />
  if (isExpired(token, now)) return rich('Expired {day}', { day })
  if (Date.parse(expires_at) > now + 7 * dayMs || now === 0) return rich('Expires {day}', { day })
  return <span className="token-ends">{rich('Expires {time}', { time: <Time at={expires_at} relative /> })}</span>
}

Tokens.layout = settingsLayouts
