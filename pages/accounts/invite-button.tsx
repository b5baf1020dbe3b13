import { usePage } from '@inertiajs/react'
import { UserPlus } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { AccountProps } from '../../features/accounts/props.ts'
import { invitableRoles } from '../../features/accounts/rights.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { asTyped } from '../forms/field.tsx'
import { TextareaField } from '../forms/more-fields.tsx'
import { useFragment } from '../hooks/fragment.ts'
import { Parts } from '../parts/parts.tsx'
import { Dialog, DialogActions } from '../popups/dialog.tsx'
import { Button } from '../shared/button.tsx'
import { toast } from '../toasts/toast.ts'
import { plural, t } from '../words/t.ts'
import { invite } from './member-actions.ts'
import { RoleField } from './role-field.tsx'

type Refusal = { email: string; reason: string }

/** Invites people by mail, or as an option offers it. */
export function InviteButton({ page }: { page: PageProps<'accounts/members'> }) {
  const { account } = page
  const isNamed = useFragment() === 'invite' // as the first steps do
  const draft = useState('') // outlives the dialog, so that a pasted list is there when it opens again
  return (
    <Dialog
      opened={isNamed}
      trigger={
        <Button look="primary">
          <UserPlus />
          {t('Invite')}
        </Button>
      }
      title={t('Invite people')}
      explanation={t('Each person gets an email with their own link, which works for a week.')}
    >
      {(close) => (
        <>
          <InviteForm account={account} draft={draft} close={close} />
          <Parts of="accounts/members:invite" with={page} />
        </>
      )}
    </Dialog>
  )
}

type Props = { account: AccountProps; draft: [string, (list: string) => void]; close(): void }

/** Each address is a separate request, so a rejected one does not affect the others. */
function InviteForm({ account, draft: [typed, setTyped], close }: Props) {
  const { user } = usePage().props.auth
  const field = useRef<HTMLTextAreaElement>(null)
  const [asked, setAsked] = useState<string[]>([])
  const [refusals, setRefusals] = useState<Refusal[]>([])
  const [sending, setSending] = useState(false)

  const refuse = (refusals: Refusal[]) => {
    setRefusals(refusals)
    field.current?.focus()
  }

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending) return
    const chosen = new FormData(event.currentTarget).get('role')
    const role = invitableRoles.find((name) => name === chosen)
    if (!role) return
    const emails = addressesIn(typed)
    if (emails.length === 0) return refuse([{ email: '', reason: t('Email is missing.') }])

    const odd = emails.filter((email) => !asked.includes(email) && isDotless(email))
    setAsked(emails)
    if (odd.length > 0) return refuse(odd.map((email) => ({ email, reason: t(dotless) })))

    setSending(true)
    const refused: Refusal[] = []
    for (const email of emails) {
      const isOwn = email.toLowerCase() === user?.email
      const reason = isOwn
        ? t("This is your own address, and you're already a member.")
        : await invite(account, email, role).catch(() => null)
      if (reason === null) {
        setSending(false)
        return setTyped(emails.slice(emails.indexOf(email)).join('\n'))
      }
      if (reason) refused.push({ email, reason })
    }
    setSending(false)
    announce(emails.filter((email) => !refused.some((refusal) => refusal.email === email)))
    if (refused.length === 0) {
      setTyped('')
      return close()
    }
    setTyped(refused.map(({ email }) => email).join('\n'))
    refuse(refused)
  }

  return (
    <form className="form" onSubmit={send} noValidate>
      <TextareaField
        name="emails"
        label={t('Emails')}
        hint={t('One or more, separated by commas, spaces or line breaks.')}
        error={refusals.length > 0 && refusals.map(Refused)}
        ref={field}
        rows={3}
        value={typed}
        autoComplete="off"
        {...asTyped}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          setRefusals([])
        }}
      />
      <RoleField />
      <DialogActions>
        <Button type="submit" look="primary" aria-disabled={sending}>
          {sending ? t('Sending…') : t('Invite')}
        </Button>
      </DialogActions>
    </form>
  )
}

const Refused = ({ email, reason }: Refusal) => (
  <p key={email}>
    {email && (
      <>
        <bdi>{email}</bdi>:{' '}
      </>
    )}
    {reason}
  </p>
)

const isDotless = (email: string) => /@[^.]+$/.test(email)
const dotless = text('Is the ending missing, such as .com? If the address is right, send it again.')

const addressesIn = (text: string) => [...new Set(text.split(/[\s,;،؛]+/).filter(Boolean))]

function announce(sent: string[]) {
  const [only] = sent
  if (only)
    toast(
      sent.length === 1
        ? t('Invitation sent to {email}.', { email: only.toLowerCase() })
        : plural(sent.length, '{count} invitation is on its way.', '{count} invitations are on their way.'),
    )
}
