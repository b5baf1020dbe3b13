import { Link, router, useForm } from '@inertiajs/react'
import { ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { paths } from '../../features/paths.ts'
import type { WithoutFactor } from '../../features/second-factor/props.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { accountChannel, useLiveReload } from '../live/hooks.ts'
import { Ask } from '../popups/dialog.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { Alert } from '../shared/alert.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Topic } from '../shared/topic.tsx'
import { plural, rich, t } from '../words/t.ts'

type Props = PageProps<'accounts/settings'>

/** Whether a workspace requires a second factor, for its owners. */
export function Requirement({ account, errors, require_second_factor: required, without_factor }: Props) {
  const { submit, processing } = useForm({ require_second_factor: true })
  useLiveReload(accountChannel(account.slug), { account: ['require_second_factor'] })
  if (required === undefined) return null

  return (
    <Topic
      icon={ShieldCheck}
      title={
        <>
          {t('Two-factor authentication')} {required && <span className="badge">{t('Required')}</span>}
        </>
      }
      explanation={
        required
          ? t('Everyone in this workspace signs in with more than a password: a code from an app, or a passkey.')
          : t(
              `Require more than a password from everyone in this workspace: a code from an app, or a passkey.
                Members who have neither are asked to set one up before they can get back in.`,
            )
      }
      more={
        <>
          {errors.require_second_factor && (
            <Alert>
              {rich('You need a second factor of your own first. {link}', {
                link: <Link href={paths.security().url}>{t('Set one up')}</Link>,
              })}
            </Alert>
          )}
          <div className="actions">
            {required ? (
              <WithPassword
                title={rich('Stop requiring two-factor authentication in {name}?', { name: account.name })}
                action={t('Stop requiring it')}
                look="danger"
                to={paths.updateAccount(account.slug)}
                data={{ require_second_factor: false }}
              >
                {t(`From then on, a password alone is enough for everyone again. Second factors that members have set
                up stay on.`)}
              </WithPassword>
            ) : (
              <Ask
                trigger={<SmallButton disabled={processing}>{t('Require two-factor authentication')}</SmallButton>}
                title={rich('Require two-factor authentication in {name}?', { name: account.name })}
                explanation={<Affected members={without_factor} />}
                action={t('Require two-factor authentication')}
                look="primary"
                onConfirm={() => submit(paths.updateAccount(account.slug), { preserveScroll: true })}
              />
            )}
          </div>
        </>
      }
    />
  )
}

/** Who would have to set one up first. It is asked for when someone is about to decide. */
function Affected({ members: affected }: { members: WithoutFactor | undefined }) {
  useEffect(() => router.reload({ only: ['without_factor'], showProgress: false }), [])
  const { lacking = 0, members = 0, names = [] } = affected ?? {}

  return (
    <div aria-busy={!affected} aria-live="polite">
      {!affected && <p>{t('Checking who has neither a code nor a passkey…')}</p>}
      {affected && lacking === 0 && <p>{t('All members already have a code or a passkey.')}</p>}
      {lacking > 0 && (
        <>
          <p>
            {plural(
              lacking,
              '{count} of {members} has neither a code nor a passkey. They can get back in once they have set one up:',
              '{count} of {members} have neither a code nor a passkey. They can get back in once they have set one up:',
              { members },
            )}
          </p>
          <ul>
            {names.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and the list does not change
              <li key={`${name} ${index}`}>
                <bdi>{name}</bdi>
              </li>
            ))}
            {lacking > names.length && <li>{t('and {count} more', { count: lacking - names.length })}</li>}
          </ul>
        </>
      )}
      <p>
        {t(`Members who signed in with only a password are asked for a second factor the next time they open the
        workspace.`)}
      </p>
    </div>
  )
}
