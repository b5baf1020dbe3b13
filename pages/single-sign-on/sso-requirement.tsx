import { Link, router, useForm } from '@inertiajs/react'
import { ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Ask } from '../popups/dialog.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Topic } from '../shared/topic.tsx'
import { plural, rich, t } from '../words/t.ts'

type Props = Pick<PageProps<'accounts/sso'>, 'account' | 'connection' | 'required' | 'affected'>

export function SsoRequirement({ account, connection, required, affected }: Props) {
  const { submit } = useForm({ required: true })
  if (!connection) return null
  const to = singleSignOnPaths.requireSingleSignOn(account.slug)

  return (
    <Topic
      icon={ShieldCheck}
      title={
        <>
          {t('Require single sign-on')} {required && <span className="badge">{t('Required')}</span>}
        </>
      }
      explanation={
        required
          ? t(`Members get in only after your provider signed them in. Owners also get in with two factors, and members
            whose address is at none of your domains as before.`)
          : t('Let members in only after your provider signed them in. Until then it is one more way to sign in.')
      }
      action={
        required ? (
          <WithPassword
            title={rich('Stop requiring single sign-on in {name}?', { name: account.name })}
            action={t('Stop requiring it')}
            look="danger"
            to={to}
            data={{ required: false }}
          >
            {t('From then on, members get in again however they signed in.')}
          </WithPassword>
        ) : (
          <Ask
            trigger={<SmallButton>{t('Require single sign-on')}</SmallButton>}
            title={rich('Require single sign-on in {name}?', { name: account.name })}
            explanation={<Affected slug={account.slug} affected={affected} />}
            action={t('Require single sign-on')}
            look="primary"
            onConfirm={() => submit(to, { preserveScroll: true })}
          />
        )
      }
    />
  )
}

/** What will happen to whom. It is asked for when someone is about to decide. */
function Affected({ slug, affected }: Pick<Props, 'affected'> & { slug: string }) {
  useEffect(() => router.reload({ only: ['affected'], showProgress: false }), [])
  if (!affected) return <p aria-busy="true">{t('Checking who has used it…')}</p>
  const { members, connected, outside, passed } = affected
  const link = <Link href={singleSignOnPaths.singleSignOn(slug).url}>{t('Sign in with it yourself')}</Link>
  return (
    <div aria-live="polite">
      {!passed && <p>{rich('You have not passed it in this session. {link} first.', { link })}</p>}
      <p>
        {plural(
          connected,
          '{count} of {members} has signed in with it. The others are asked to at their next visit.',
          '{count} of {members} have signed in with it. The others are asked to at their next visit.',
          { members },
        )}
      </p>
      <p>
        {plural(
          outside,
          '{count} person has an address at another domain, and gets in as before.',
          '{count} people have an address at another domain, and get in as before.',
        )}
      </p>
    </div>
  )
}
