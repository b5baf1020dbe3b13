import { router } from '@inertiajs/react'
import { Link2 } from 'lucide-react'
import { providersPaths } from '../../features/providers/paths.ts'
import { providerNames } from '../../features/providers/words.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { LastUse, Removable } from '../settings/removable.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Day } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { sentenceOf } from '../words/answers.ts'
import { rich, t } from '../words/t.ts'
import { ProviderMark } from './provider-mark.tsx'

const most = 10

export function Identities({ identities = [], providers = [], connectable, auth }: PageProps<'settings/security'>) {
  if (identities.length === 0 && providers.length === 0) return null
  const nameOf = (id: string) =>
    providers.find((provider) => provider.id === id)?.name ?? providerNames[id] ?? t('Single sign-on')

  return (
    <Topic
      icon={Link2}
      title={t('Connected accounts')}
      explanation={t(
        `Anyone who can sign in to one of these accounts can sign in here as you. What you do here is not shared with
          them.`,
      )}
      more={
        auth.user?.verified &&
        (identities.length >= most ? (
          <p className="row-note">{sentenceOf(t('You have 10 connected accounts already'))}</p>
        ) : (
          <div className="actions">
            {connectable && (
              <SmallButton look="primary" onClick={() => router.post(providersPaths.connectPending().url)}>
                <ProviderMark id={connectable.id} />
                {t('Connect {name}', { name: connectable.name })}
              </SmallButton>
            )}
            {providers
              .filter(({ id }) => id !== connectable?.id)
              .map(({ id, name }) => (
                <WithPassword
                  key={id}
                  trigger={
                    <SmallButton>
                      <ProviderMark id={id} />
                      {t('Connect {name}', { name })}
                    </SmallButton>
                  }
                  title={t('Connect {name}', { name })}
                  action={t('Connect')}
                  to={providersPaths.connectProvider(id)}
                >
                  {rich("First, we need to know it's you. Then {name} asks whether you agree.", { name })}
                </WithPassword>
              ))}
          </div>
        ))
      }
    >
      <Removable
        items={identities}
        text={({ provider, email, name, created_at, last_used_at }) => (
          <>
            <strong className="identity-name">
              <ProviderMark id={provider} /> {nameOf(provider)}
            </strong>
            {(email ?? name) && <bdi>{email ?? name}</bdi>}
            <span>
              {rich('Connected {day}, {use}', { day: <Day at={created_at} />, use: <LastUse at={last_used_at} /> })}
            </span>
          </>
        )}
        actions={({ id, provider }, onRemoved) => (
          <WithPassword
            trigger={
              <SmallButton aria-label={t('Disconnect {name}', { name: nameOf(provider) })}>
                {t('Disconnect')}
              </SmallButton>
            }
            title={t('Disconnect {provider}?', { provider: nameOf(provider) })}
            action={t('Disconnect')}
            look="danger"
            to={providersPaths.disconnectIdentity(id)}
            onSuccess={onRemoved}
          >
            {t("You'll no longer be able to sign in with it. You stay signed in.")}
          </WithPassword>
        )}
      />
    </Topic>
  )
}
