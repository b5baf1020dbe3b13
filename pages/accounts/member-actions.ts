import { router } from '@inertiajs/react'
import type { AccountProps, InvitationProps, MemberProps } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { showAlert } from '../visits/alerts.ts'
import { focusHeading } from '../visits/focus.ts'
import { messageOf } from '../words/messages.ts'
import type { Role } from '../words/roles.ts'

// An answer with members would hold the first of them only, so those that are loaded stay, and change here.
const inPlace = { except: ['members'], preserveScroll: true, preserveState: true }

export const changeRole = (account: AccountProps, { id }: MemberProps, role: Role) =>
  router.patch(
    paths.changeRole(account.slug, id).url,
    { role },
    {
      ...inPlace,
      onSuccess: ({ flash }) =>
        flash.alert || replaceMembers((members) => members.map((one) => (one.id === id ? { ...one, role } : one))),
    },
  )

export const remove = (account: AccountProps, { id }: MemberProps) =>
  router.delete(paths.removeMember(account.slug, id).url, {
    ...inPlace,
    onSuccess: ({ flash }) => {
      if (flash.alert) return
      replaceMembers((members) => members.filter((one) => one.id !== id))
      focusHeading()
    },
  })

export function leave(account: AccountProps, { id }: MemberProps) {
  router.delete(paths.removeMember(account.slug, id).url)
  router.flushAll() // nothing that was fetched ahead may show the account again
}

export const resend = (account: AccountProps, { id, email }: InvitationProps) =>
  router.post(
    paths.resendInvitation(account.slug, id).url,
    {},
    { ...inPlace, onError: (errors) => showAlert({ text: messageOf('email', email, String(errors.email)) }) },
  )

export const revoke = (account: AccountProps, { id }: InvitationProps) =>
  router.delete(paths.revokeInvitation(account.slug, id).url, { ...inPlace, onSuccess: focusHeading })

const replaceMembers = (change: (members: MemberProps[]) => MemberProps[]) => router.replaceProp('members', change)
