import { router, useForm } from '@inertiajs/react'
import { useEffect } from 'react'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Copyable } from '../accounts/copyable.tsx'
import { reload } from '../live/reload.ts'
import { Dialog, DialogActions } from '../popups/dialog.tsx'
import { WithPassword } from '../popups/with-password.tsx'
import { Button, classes, SmallButton } from '../shared/button.tsx'
import { Time } from '../shared/time.tsx'
import { plural, rich, t } from '../words/t.ts'
import { Step } from './step.tsx'
import { onTried } from './tried.ts'

type Props = Pick<
  PageProps<'accounts/sso'>,
  'account' | 'connection' | 'required' | 'passed' | 'affected' | 'start_url'
> & { isNext: boolean }

export function SsoRequirement({ account, connection, required, passed, affected, start_url, isNext }: Props) {
  const { submit } = useForm({ required: true })
  useEffect(() => onTried(() => reload(['connection', 'passed'])), [])
  const to = singleSignOnPaths.requireSingleSignOn(account.slug)

  return (
    <Step
      number={3}
      title={t('Step 3 of 3: try it, then require it')}
      state={required ? 'done' : isNext ? 'now' : 'later'}
      summary={required ? <span className="badge">{t('Required')}</span> : passed && t('It works.')}
    >
      {!connection ? (
        <p>{t('Connect your provider first.')}</p>
      ) : (
        <>
          <p role="status">
            {passed
              ? t('You signed in with it: it works.')
              : connection.used_at
                ? rich('Last used {time}.', { time: <Time at={connection.used_at} relative /> })
                : t("You haven't signed in with it yet. A new window asks your provider, and comes back.")}
          </p>
          <div className="row-actions">
            <Try slug={account.slug} look={passed ? 'secondary' : 'primary'}>
              {passed ? t('Try it again') : t('Try it in a new window')}
            </Try>
          </div>
          <h3>{t('Require single sign-on')}</h3>
          <p>
            {required
              ? t(`Members get in only after your provider signed them in. Owners also get in with two factors, and
                members whose address is at none of your domains as before.`)
              : t('Let members in only after your provider signed them in. Until then it is one more way to sign in.')}
          </p>
          <div className="row-actions">
            {required ? (
              <WithPassword
                title={rich('Stop requiring single sign-on in {name}?', { name: account.name })}
                action={t('Stop requiring it')}
                look="danger"
                to={to}
                data={{ required: false }}
                options={{ preserveScroll: true }}
              >
                {t('From then on, members get in again however they signed in.')}
              </WithPassword>
            ) : (
              <Dialog
                trigger={<SmallButton>{t('Require single sign-on')}</SmallButton>}
                title={rich('Require single sign-on in {name}?', { name: account.name })}
                explanation={<Affected {...{ affected, passed }} />}
              >
                {(close) => (
                  <DialogActions>
                    {passed ? (
                      <Button
                        look="primary"
                        onClick={() => {
                          close()
                          submit(to, { preserveScroll: true })
                        }}
                      >
                        {t('Require single sign-on')}
                      </Button>
                    ) : (
                      <Try slug={account.slug} look="primary">
                        {t('Sign in with it first')}
                      </Try>
                    )}
                  </DialogActions>
                )}
              </Dialog>
            )}
          </div>
          <Copyable label={t('Address for a tile at your provider')} text={start_url} />
        </>
      )}
    </Step>
  )
}

type TryProps = { slug: string; look: 'primary' | 'secondary'; children: string }

/** In a window of its own: who is refused at the provider must not lose this page. */
const Try = ({ slug, look, children }: TryProps) => (
  <a
    className={classes({ look })}
    href={singleSignOnPaths.trySingleSignOn(slug).url}
    target="_blank"
    rel="noopener opener"
  >
    {children}
  </a>
)

/** What will happen to whom. It is asked for when someone is about to decide. */
function Affected({ affected, passed }: Pick<Props, 'affected' | 'passed'>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more when it was tried in another window
  useEffect(() => router.reload({ only: ['affected'], showProgress: false }), [passed])
  if (!affected) return <p aria-busy="true">{t('Checking who has used it…')}</p>
  const { members, connected, outside } = affected
  return (
    <div aria-live="polite">
      <p>
        {connected === 0
          ? t('Nobody has signed in with it yet. Everybody is asked to at their next visit.')
          : connected === members
            ? t('Everybody has signed in with it.')
            : plural(
                connected,
                '{count} of {members} has signed in with it. The others are asked to at their next visit.',
                '{count} of {members} have signed in with it. The others are asked to at their next visit.',
                { members },
              )}
      </p>
      {outside > 0 && (
        <p>
          {plural(
            outside,
            '{count} person has an address at another domain, and gets in as before.',
            '{count} people have an address at another domain, and get in as before.',
          )}
        </p>
      )}
    </div>
  )
}
