import { usePage } from '@inertiajs/react'
import { KeySquare } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TokenProps } from '../../features/api/tokens/props.ts'
import { apiPrefix, type Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { NameField } from '../forms/field.tsx'
import { SelectField } from '../forms/more-fields.tsx'
import { useHydrated } from '../hooks/store.ts'
import { LastUse, OneMore, Removable } from '../settings/removable.tsx'
import { VerifyFirst } from '../settings/verify-first.tsx'
import { Empty } from '../shared/arch.tsx'
import { CopyOnce } from '../shared/copy-once.tsx'
import { Facts } from '../shared/facts.tsx'
import { Day, Time } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { plural, rich, t } from '../words/t.ts'
import { dayMs, lifetimes, TokenActions, type TokenPaths } from './token-actions.tsx'

const most = 20

type Props<Shown> = {
  tokens: Shown[]
  paths: TokenPaths & { create: Path }
  title: string
  nothing: string
  /** What the server would say to one more. */
  full: string
  /** In the form, after the name. */
  fields?: ReactNode
  /** What else stands in the line of one. */
  facts?(token: Shown): ReactNode[]
}

/** The tokens of a person or of a workspace, and what can be done with them. */
export function Tokens<Shown extends TokenProps>({ tokens, paths, title, nothing, facts, ...creating }: Props<Shown>) {
  const { flash, props } = usePage()
  const now = useNow()
  const origin = useHydrated() ? location.origin : ''
  const isFull = tokens.filter((token) => !isExpired(token, now)).length >= most

  return (
    <>
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
        title={title}
        action={props.auth.user?.verified && <CreateToken isFull={isFull} to={paths.create} {...creating} />}
      >
        {tokens.length === 0 && <Empty>{nothing}</Empty>}
        <Removable
          items={tokens}
          text={(token) => (
            <Token token={token} now={now}>
              {facts?.(token)}
            </Token>
          )}
          actions={(token, onRemoved) => <TokenActions token={token} paths={paths} onRevoked={onRemoved} />}
        />
      </Topic>
    </>
  )
}

type CreationProps = { isFull: boolean; to: Path; full: string; fields?: ReactNode }

const CreateToken = ({ fields, ...creation }: CreationProps) => (
  <OneMore
    explanation={t('The name tells you later which program uses it.')}
    action={t('Create a token')}
    {...creation}
  >
    <NameField maxLength={60} autoComplete="off" />
    {fields}
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
  </OneMore>
)

const isExpired = ({ expires_at }: TokenProps, now: number) => Date.parse(expires_at) <= now

/** The browser's time, which the server cannot know: until then, nothing has expired. */
const useNow = () => (useHydrated() ? Date.now() : 0)

function Token({ token, now, children }: { token: TokenProps; now: number; children: ReactNode }) {
  const { name, scope, last_used_at } = token
  return (
    <Facts title={<bdi>{name}</bdi>}>
      {scope === 'read' ? t('Read only') : t('Read and write')}
      {children}
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
