import { router } from '@inertiajs/react'
import type { AccountProps, InvitationProps, MemberProps } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import type { Flash } from '../../plugins/inertia/pages.ts'
import { features } from '../features.ts'
import { asciiAddress } from '../forms/ascii-address.ts'
import { focusInstead } from '../shared/focus.ts'
import { keepingRows } from '../shared/rows-shown.ts'
import { clearToasts, toast } from '../toasts/toast.ts'
import { showAlert } from '../visits/alerts.ts'
import { alertText, take } from '../visits/flashes.ts'
import { whenSettled } from '../visits/own-visits.ts'
import { messageOf } from '../words/messages.ts'
import { t } from '../words/t.ts'
import { asRole, type Role } from '../words/workspace.tsx'

const reload = () =>
  router.reload({
    only: ['members', 'invitations', 'totals'],
    reset: ['members', 'invitations'],
    headers: keepingRows(),
  })

const changing = {
  preserveScroll: true,
  preserveState: true,
  // Another change came before the answer to this one, which is not shown then.
  onFinish: ({ interrupted }: { interrupted: boolean }) => interrupted && whenSettled(reload),
}
// The loaded members are kept and updated here. Invitations are loaded again, since a new role may withdraw some.
// The response ends a search, so the members found are not kept.
export const keptMembers = () => {
  const lists = location.search ? ['members', 'invitations'] : ['invitations']
  return {
    preserveScroll: true,
    preserveState: true,
    only: [...lists, 'expired_invitations', 'search', 'totals'],
    reset: lists,
    headers: keepingRows(),
  }
}
const keepingMembers = () => ({ ...changing, ...keptMembers() })
const keepingLists = { ...changing, except: ['members', 'invitations'] }

export function changeRole(account: AccountProps, member: MemberProps, role: Role, { canUndo = true } = {}) {
  router.patch(
    paths.changeRole(account.slug, member.id).url,
    { role },
    {
      ...keepingMembers(),
      onSuccess({ flash }) {
        if (!flash.alert) showRole(account, member, role, { canUndo })
      },
    },
  )
}

/** Shows the new role in the list, and offers to undo the change. */
export function showRole(account: AccountProps, member: MemberProps, role: Role, { canUndo = true } = {}) {
  const { id, name, role: former } = member
  const undo = () => changeRole(account, { ...member, role }, former, { canUndo: false })
  replaceIn('members', (members) => members.map((one) => (one.id === id ? { ...one, role } : one)))
  take('notice')
  const message = t('Role updated: {name} is {role} now.', { name, role: t(asRole[role]) })
  toast(message, { action: canUndo ? { label: t('Undo'), run: undo } : undefined })
}

export function remove(account: AccountProps, member: MemberProps) {
  const { options, onSuccess } = removal(member)
  router.delete(paths.removeMember(account.slug, member.id).url, {
    ...changing,
    ...options,
    onSuccess(page) {
      if (!page.flash.alert) onSuccess(page)
    },
  })
}

/** What a visit that removes a member keeps, and shows once it has. */
export function removal({ id, name }: MemberProps) {
  const focusNeighbour = focusInstead(document.getElementById(rowOf(id)))
  const kept = keptMembers()
  return {
    options: { ...kept, only: [...kept.only, 'invitation_link'] },
    onSuccess({ flash }: { flash: Flash }) {
      focusNeighbour()
      clearToasts() // one may offer to undo the role that they had
      replaceIn('members', (members) => members.filter((one) => one.id !== id))
      for (const { afterRemoval } of features) {
        const said = afterRemoval?.(flash, name)
        if (said) toast(said)
      }
    },
  }
}

export const rowOf = (membershipId: number) => `member-${membershipId}`

export function leave(account: AccountProps, { id }: MemberProps) {
  router.delete(paths.removeMember(account.slug, id).url)
  router.flushAll() // prefetched pages must not show the account again
}

/** Resolves to the reason why the address cannot be invited, or to undefined once the invitation was sent. */
export const invite = (account: AccountProps, email: string, role: Role) =>
  new Promise<string | undefined>((resolve, reject) => {
    router.post(
      paths.invite(account.slug).url,
      { email: asciiAddress(email), role },
      {
        ...keepingMembers(),
        onSuccess({ flash }) {
          take(flash.alert ? 'alert' : 'notice') // reported together with the others
          resolve(flash.alert && alertText(flash.alert))
        },
        onError(errors) {
          const [field = 'email'] = Object.keys(errors)
          resolve(messageOf(field, t('Email'), String(errors[field]?.[0])))
        },
        onFinish: ({ interrupted, cancelled }) =>
          interrupted || cancelled ? reject(new Error('left')) : resolve(t('This could not be sent.')),
      },
    )
  })

export function resend(account: AccountProps, { id, email }: InvitationProps) {
  router.post(
    paths.resendInvitation(account.slug, id).url,
    {},
    {
      ...keepingLists,
      onSuccess({ flash }) {
        if (flash.alert) return
        const expires_at = new Date(Date.now() + weekMs).toISOString()
        replaceIn('invitations', (invitations) =>
          invitations.map((one) => (one.id === id ? { ...one, expires_at } : one)),
        )
      },
      onError: (errors) => showAlert({ text: messageOf('email', email, String(errors.email)) }),
    },
  )
}

export function revoke(account: AccountProps, { id }: InvitationProps, row: Element | null) {
  const focusNeighbour = focusInstead(row)
  router.delete(paths.revokeInvitation(account.slug, id).url, {
    ...keepingLists,
    onSuccess({ flash }) {
      if (flash.alert) return
      focusNeighbour()
      replaceIn('invitations', (invitations) => invitations.filter((one) => one.id !== id))
    },
  })
}

const weekMs = 7 * 86_400_000

type Lists = { members: MemberProps; invitations: InvitationProps }

// A list is missing if another page has been shown meanwhile.
const replaceIn = <Name extends keyof Lists>(name: Name, change: (list: Lists[Name][]) => Lists[Name][]) =>
  router.replaceProp(name, (list: Lists[Name][] = []) => change(list))
