import { router, usePage } from '@inertiajs/react'
import { maxLinkUses } from '../../features/invitation-link/bounds.ts'
import { invitationLinkPaths } from '../../features/invitation-link/paths.ts'
import type { InvitationLinkProps } from '../../features/invitation-link/props.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { useHydrated } from '../hooks/store.ts'
import { Ask } from '../popups/dialog.tsx'
import { SmallButton } from '../shared/button.tsx'
import { CopyOnce } from '../shared/copy-once.tsx'
import { Day } from '../shared/time.tsx'
import { plural, rich, t } from '../words/t.ts'

/** In the dialog that invites people, for managers. */
export function InvitationLink({ account, invitation_link: link = null }: PageProps<'accounts/members'>) {
  const { flash } = usePage()
  const options = { preserveScroll: true, preserveState: true, only: ['invitation_link'] }
  const create = () => router.post(invitationLinkPaths.createInvitationLink(account.slug).url, {}, options)

  return (
    <section className="by-link" aria-labelledby="by-link">
      <h3 id="by-link">{t('Or share a link')}</h3>
      <p>
        {t('Up to {max} people with a verified address can join with it as members, for a week.', { max: maxLinkUses })}
        {link && <State link={link} />}
      </p>
      {link && (
        <CopyOnce label={t('Your new invitation link')} text={flash.invitation_link} copied={t('The link is copied.')}>
          {t('It is shown only now. Anyone who has it can join, so send it only to people you want here.')}
        </CopyOnce>
      )}
      <div className="row-actions">
        {link ? (
          <>
            <Ask
              trigger={<SmallButton>{t('Replace')}</SmallButton>}
              title={t('Replace the invitation link?')}
              explanation={t('The current link stops working right away.')}
              action={t('Replace')}
              onConfirm={create}
            />
            <Ask
              trigger={<SmallButton>{t('Remove link')}</SmallButton>}
              title={t('Remove the invitation link?')}
              explanation={t('The current link stops working right away.')}
              action={t('Remove link')}
              onConfirm={() => router.delete(invitationLinkPaths.removeInvitationLink(account.slug).url, options)}
            />
          </>
        ) : (
          <SmallButton onClick={create}>{t('Create link')}</SmallButton>
        )}
      </div>
    </section>
  )
}

function State({ link: { expires_at, uses } }: { link: InvitationLinkProps }) {
  // depends on the browser's clock, so the server cannot render it
  const isOver = useHydrated() && (Date.parse(expires_at) <= Date.now() || uses >= maxLinkUses)
  const joined =
    uses === 0 ? t('Nobody has joined yet.') : plural(uses, '{count} person joined.', '{count} people joined.')
  const day = <Day at={expires_at} />
  return (
    <>
      {' '}
      {joined} {isOver ? t('It has expired.') : rich('It expires {day}.', { day })}
    </>
  )
}
