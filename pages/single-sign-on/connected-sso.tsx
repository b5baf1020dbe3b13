import { Building2 } from 'lucide-react'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { LastUse, Removable } from '../settings/removable.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Day } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { rich, t } from '../words/t.ts'

/** Workspaces whose provider signs this person in. */
export function SingleSignOn({ sso = [] }: PageProps<'settings/security'>) {
  if (sso.length === 0) return null
  return (
    <Topic
      icon={Building2}
      title={t('Single sign-on')}
      explanation={t('The provider of these workspaces signs you in. They decide who you are there.')}
    >
      <Removable
        items={sso}
        text={({ account_name, email, created_at, last_used_at }) => (
          <>
            <strong dir="auto">{account_name}</strong>
            {email && <bdi>{email}</bdi>}
            <span>
              {rich('Connected {day}, {use}', { day: <Day at={created_at} />, use: <LastUse at={last_used_at} /> })}
            </span>
          </>
        )}
        actions={({ id, account_name: name }, onRemoved) => (
          <WithPassword
            trigger={<SmallButton aria-label={t('Disconnect {name}', { name })}>{t('Disconnect')}</SmallButton>}
            title={t('Disconnect {provider}?', { provider: name })}
            action={t('Disconnect')}
            look="danger"
            to={singleSignOnPaths.disconnectSsoIdentity(id)}
            onSuccess={onRemoved}
          >
            {t(
              'It can no longer sign you in. Where a workspace requires it, you stay outside until you connect it again.',
            )}
          </WithPassword>
        )}
      />
    </Topic>
  )
}
