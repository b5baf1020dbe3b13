import { Link, router, usePage } from '@inertiajs/react'
import { Lock, Tag } from 'lucide-react'
import { useEffect, useState } from 'react'
import { may } from '../../features/accounts/rights.ts'
import { maxAccountNameLength } from '../../features/bounds.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { NameField } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { accountChannel, useLiveReload } from '../live/hooks.ts'
import { Parts } from '../parts/parts.tsx'
import { Deletion } from '../popups/with-password.tsx'
import { Heading } from '../shared/heading.tsx'
import { plural, rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'

type Props = PageProps<'accounts/settings'>

export default function AccountSettings(props: Props) {
  const { account, membership, can_manage } = props
  useLiveReload(accountChannel(account.slug), { members: ['membership', 'can_manage'] })

  return (
    <div className="settings-section">
      <Heading title={t('Settings')}>
        {rich('How {name} appears to its members.', { name: workspaceName(account) })}
      </Heading>
      {can_manage ? <Name {...props} /> : <NameOnly {...props} />}
      <Parts of="accounts/settings" with={props} />
      <div className="card row">
        <Lock className="row-icon" />
        <div className="row-text">
          <strong dir="ltr">/{account.slug}</strong>
          <span>{t('The address of this workspace. It never changes, so every link to it keeps working.')}</span>
        </div>
      </div>
      <Parts of="accounts/settings:rules" with={props} />
      {may(membership.role, 'workspace.delete') && <DeleteWorkspace {...props} />}
    </div>
  )
}

const Name = ({ account }: Props) => (
  <div className="card">
    <Form to={paths.updateAccount(account.slug)} saves validatesAhead>
      <NameField
        dir="auto"
        autoComplete="organization"
        hint={t('Up to {max} characters.', { max: maxAccountNameLength })}
        defaultValue={account.name}
        autoFocus={usePage().url.endsWith('#name')}
      />
      <Submit>{t('Save')}</Submit>
    </Form>
  </div>
)

const NameOnly = ({ account }: Props) => (
  <div className="card row">
    <Tag className="row-icon" />
    <div className="row-text">
      <strong dir="auto">{account.name}</strong>
      <span>{t('The name of this workspace. Its owners and admins can change it.')}</span>
    </div>
  </div>
)

const DeleteWorkspace = ({ account, losing }: Props) => (
  <section className="card padded closing-card danger-card">
    <h2>{t('Delete this workspace')}</h2>
    <p>
      {rich('Everyone loses access. This cannot be undone. To delete your own account, {link}.', {
        link: <Link href={paths.profile().url}>{t('go to your profile')}</Link>,
      })}
    </p>
    <Deletion
      title={rich('Delete the workspace {name}?', { name: account.name })}
      action={t('Delete workspace')}
      to={paths.deleteAccount(account.slug)}
    >
      <ul>
        <Losing account={account} count={losing} />
        <li>
          {rich('The workspace {name} and everything in it will be permanently deleted.', { name: account.name })}
        </li>
        <li>{t('Members keep their accounts and their other workspaces.')}</li>
      </ul>
    </Deletion>
  </section>
)

/** Whom it concerns. Whoever only wants to leave can hand it over instead. */
function Losing({ account, count: sent }: { account: Props['account']; count: number | undefined }) {
  useEffect(() => router.reload({ only: ['losing'], showProgress: false }), [])
  const [count, setCount] = useState(sent) // the answer to a wrong password lacks it
  if (sent && sent !== count) setCount(sent)
  return (
    <>
      <li aria-busy={count === undefined}>
        {count === undefined || count === 1
          ? t('All members lose access right away, and invitations to it stop working.')
          : plural(
              count - 1,
              'You and {count} other person lose access right away, and invitations to it stop working.',
              'You and {count} other people lose access right away, and invitations to it stop working.',
            )}
      </li>
      {count !== undefined && count > 1 && (
        <li>
          {rich('You only want to leave? {link} instead.', {
            link: (
              <Link className="link" href={paths.members(account.slug).url}>
                {t('Hand it over to somebody')}
              </Link>
            ),
          })}
        </li>
      )}
    </>
  )
}

AccountSettings.layout = AppLayout
