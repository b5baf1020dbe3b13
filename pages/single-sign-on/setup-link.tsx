import { router, usePage } from '@inertiajs/react'
import { Link2 } from 'lucide-react'
import { setupPaths } from '../../features/single-sign-on/setup/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { WithPassword } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { CopyOnce } from '../shared/copy-once.tsx'
import { Day } from '../shared/time.tsx'
import { Topic } from '../shared/topic.tsx'
import { rich, t } from '../words/t.ts'

/** For a colleague in IT who has no account here. */
export function SetupLink({
  account: { slug },
  setup_link,
}: Pick<PageProps<'accounts/sso'>, 'account' | 'setup_link'>) {
  const { flash } = usePage()
  return (
    <>
      {setup_link && (
        <CopyOnce label={t('Your setup link')} text={flash.sso_setup_link} copied={t('The link is copied.')}>
          {t("You won't see this link again. Send it only to the colleague who is to use it.")}
        </CopyOnce>
      )}
      <Topic
        icon={Link2}
        title={t('Does somebody else manage your DNS or your provider?')}
        explanation={
          setup_link
            ? rich('A setup link is valid until {day}, or until a domain is verified and the provider is connected.', {
                day: <Day at={setup_link.expires_at} />,
              })
            : t(
                `A setup link lets a colleague without an account do steps 1 and 2. They see nothing else of this
                workspace, and you get a mail about all that they do.`,
              )
        }
        action={
          <div className="row-actions">
            <WithPassword
              title={t('Make a setup link?')}
              action={setup_link ? t('Make a new one') : t('Make a setup link')}
              to={setupPaths.makeSetupLink(slug)}
              options={{ preserveScroll: true }} // to where the link appears
            >
              {t('It is valid for seven days. An earlier link ends.')}
            </WithPassword>
            {setup_link && (
              <SmallButton
                onClick={() => router.delete(setupPaths.withdrawSetupLink(slug).url, { preserveScroll: true })}
              >
                {t('Withdraw')}
              </SmallButton>
            )}
          </div>
        }
      />
    </>
  )
}
