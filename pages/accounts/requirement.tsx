import { Link, router } from '@inertiajs/react'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { Alert } from '../shared/alert.tsx'
import { Button } from '../shared/button.tsx'
import { rich, t } from '../words/t.ts'

type Props = Pick<PageProps<'accounts/settings'>, 'account' | 'errors'> & { required: boolean }

/** Whether members need a second factor. */
export function Requirement({ account, errors, required }: Props) {
  const [saving, setSaving] = useState(false)

  const save = () => {
    const options = { preserveScroll: true, onFinish: () => setSaving(false) }
    router.patch(paths.renameAccount(account.slug).url, { require_second_factor: true }, options)
    setSaving(true)
  }

  return (
    <section className="card row">
      <ShieldCheck className="row-icon" aria-hidden="true" />
      <div className="row-text">
        <h2>
          {t('Two-factor authentication')} {required && <span className="badge">{t('Required')}</span>}
        </h2>
        <span>
          {required
            ? t('Everybody in this workspace signs in with more than a password: a code from an app, or a passkey.')
            : t(
                `Require more than a password of everybody in this workspace: a code from an app, or a passkey.
                  Whoever has neither is asked to set one up before they come in again.`,
              )}
        </span>
        {errors.require_second_factor && (
          <Alert>
            {rich('You need a second factor of your own first. {link}', {
              link: <Link href={paths.security().url}>{t('Set one up')}</Link>,
            })}
          </Alert>
        )}
      </div>
      {required ? (
        <WithPassword
          trigger={<Button size="small">{t('Stop requiring it')}</Button>}
          title={rich('Stop requiring a second factor in {name}?', { name: <bdi>{account.name}</bdi> })}
          action={t('Stop requiring it')}
          to={paths.renameAccount(account.slug)}
          data={{ require_second_factor: false }}
        >
          {t("From then on a password alone opens it again, for everybody in it. Nobody's own second factor changes.")}
        </WithPassword>
      ) : (
        <Button size="small" disabled={saving} onClick={save}>
          {t('Require it')}
        </Button>
      )}
    </section>
  )
}
