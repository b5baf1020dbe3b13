import { router } from '@inertiajs/react'
import { useRef, useState } from 'react'
import type { TokenProps } from '../../features/api/tokens/props.ts'
import type { Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Ask } from '../popups/dialog.tsx'
import { Menu, MenuAction, MoreButton } from '../popups/menu.tsx'
import { FormDialog } from '../popups/with-password.tsx'
import { plural, rich, t } from '../words/t.ts'

export type TokenPaths = { roll(id: number): Path; revoke(id: number): Path }

type Props = { token: TokenProps; paths: TokenPaths; onRevoked(): void }

/** Everything else about a token stands in its line. */
export function TokenActions({ token, paths, onRevoked }: Props) {
  const { id, name } = token
  const button = useRef<HTMLButtonElement>(null)
  const [asked, setAsked] = useState<'roll' | 'revoke'>()
  const dialog = { finalFocus: button, onClose: () => setAsked(undefined) }
  const lifetime = lifetimeOf(token)

  return (
    <>
      <Menu align="end" trigger={<MoreButton ref={button} name={name} />}>
        {lifetime && <MenuAction onClick={() => setAsked('roll')}>{t('Roll…')}</MenuAction>}
        <MenuAction onClick={() => setAsked('revoke')}>{t('Revoke…')}</MenuAction>
      </Menu>
      {asked === 'roll' && lifetime && (
        <FormDialog
          title={t('Roll this token?')}
          explanation={plural(
            lifetime,
            'You get a new token with the same name and access, for {count} day. The old one keeps working for an hour.',
            'You get a new token with the same name and access, for {count} days. The old one keeps working for an hour.',
          )}
          action={t('Roll')}
          to={paths.roll(id)}
          {...dialog}
        >
          <CurrentPasswordField alone />
        </FormDialog>
      )}
      {asked === 'revoke' && (
        <Ask
          title={t('Revoke this token?')}
          explanation={rich('Programs that use {name} lose access at once.', { name })}
          action={t('Revoke')}
          onConfirm={() => router.delete(paths.revoke(id).url, { preserveScroll: true, onSuccess: onRevoked })}
          {...dialog}
        />
      )}
    </>
  )
}

export const lifetimes = [7, 30, 90, 365] // days
export const dayMs = 86_400_000

/** In days. That of a token that was rolled was cut short, and is none of them. */
const lifetimeOf = ({ created_at, expires_at }: TokenProps) =>
  lifetimes.find((days) => days * dayMs === Date.parse(expires_at) - Date.parse(created_at))
