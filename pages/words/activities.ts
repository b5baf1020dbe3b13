import { createElement, type ReactNode } from 'react'
import type { Role } from '../../drizzle/schema.ts'
import type { OwnActivities } from '../../features/activity/activities.ts'
import type { ActivityProps } from '../../features/activity/props.ts'
import type { Provider } from '../../features/auth/props.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import type { Perspective, Sentences } from '../feature.ts'
import { features } from '../features.ts'
import { Name } from '../shared/name.ts'
import { withMethod } from './methods.ts'
import { rich, t } from './t.ts'
import { asRole } from './workspace.tsx'

const coreSentences: Sentences<keyof OwnActivities> = {
  signed_up: ({ actor }) => rich('{actor} signed up', { actor }),
  imported: () => t('The account was brought from another system'),
  signed_in({ actor, providers }, { details }) {
    const method = withMethod(details.method, providers)
    return method ? rich('{actor} signed in {method}', { actor, method }) : rich('{actor} signed in', { actor })
  },
  signed_out: ({ actor }) => rich('{actor} signed out', { actor }),
  session_ended: ({ actor }) => rich('{actor} ended another session', { actor }),
  sessions_ended({ actor, other, whose }) {
    if (whose === 'own') return rich('{actor} ended all other sessions', { actor })
    return whose === 'yours'
      ? rich('{actor} ended your sessions', { actor })
      : rich('{actor} ended all sessions of {other}', { actor, other })
  },
  sign_in_refused: () => t('Someone tried to sign in with a wrong password'),
  email_verified: ({ actor }) => rich('{actor} verified the email address', { actor }),
  profile_changed: ({ actor }, { details }) =>
    rich('{actor} changed the name from {from} to {to}', { actor, from: details.from, to: details.to }),
  email_changed: ({ actor }, { details }) =>
    details.since ? t('The earlier email address is back') : rich('{actor} changed the email address', { actor }),
  password_changed: ({ actor }) => rich('{actor} changed the password', { actor }),
  password_reset: ({ actor }) => rich('{actor} reset the password by email', { actor }),
  data_exported: ({ actor }) => rich('{actor} exported all data', { actor }),
  suspended: ({ actor, other }) => rich('{actor} suspended {other}', { actor, other }),
  unsuspended: ({ actor, other }) => rich('{actor} unsuspended {other}', { actor, other }),
  account_created: ({ actor, account }) =>
    account
      ? rich('{actor} created the workspace {account}', { actor, account })
      : rich('{actor} created the workspace', { actor }),
  account_renamed: ({ actor }, { details }) =>
    rich('{actor} renamed the workspace from {from} to {to}', { actor, from: details.from, to: details.to }),
  account_deleted: ({ actor, account }) =>
    account
      ? rich('{actor} deleted the workspace {account}', { actor, account })
      : rich('{actor} deleted the workspace', { actor }),
  member_invited: ({ actor }, { details }) =>
    rich('{actor} invited {invited} as {role}', { actor, ...invitation(details) }),
  invitation_revoked: ({ actor }, { details }) =>
    rich('{actor} revoked the invitation for {invited} as {role}', { actor, ...invitation(details) }),
  invitation_declined({ actor, account }, { details }) {
    const role = t(asRole[details.role])
    return account
      ? rich('{actor} declined the invitation to the workspace {account} as {role}', { actor, account, role })
      : rich('{actor} declined the invitation to the workspace as {role}', { actor, role })
  },
  // Without `actor`, which has an auxiliary in German, and this verb needs another.
  member_joined({ account }, { actor_name, details }) {
    const role = t(asRole[details.role])
    const name = actor_name ?? t('Someone')
    if (details.by === 'link') {
      return account
        ? rich('You joined {account} as {role} with the invitation link', { account, role })
        : rich('{name} joined as {role} with the invitation link', { name, role })
    }
    if (details.by === 'sso') {
      return account
        ? rich('You joined {account} as {role} with single sign-on', { account, role })
        : rich('{name} joined as {role} with single sign-on', { name, role })
    }
    return account
      ? rich('You joined {account} as {role}', { account, role })
      : rich('{name} joined as {role}', { name, role })
  },
  role_changed: (perspective, { actor_name, details }) =>
    actor_name === null ? inheritedRole(perspective, details.to) : changedRole(perspective, details.from, details.to),
  member_removed: ({ actor, other, account }) =>
    account
      ? rich('{actor} removed you from {account}', { actor, account })
      : rich('{actor} removed {other}', { actor, other }),
  member_left: ({ actor, account }) =>
    account ? rich('{actor} left {account}', { actor, account }) : rich('{actor} left', { actor }),
}

const invitation = ({ email, role }: { email?: string; role: Role }) => ({
  invited: email ?? t('someone'),
  role: t(asRole[role]),
})

function inheritedRole({ other, whose, account }: Perspective, to: Role) {
  const role = t(asRole[to])
  if (whose === 'theirs') return rich('{other} became {role} because no owner was left', { other, role })
  return rich('You became {role} in {account} because no owner was left', { role, account })
}

function changedRole({ actor, other, whose, account }: Perspective, before: Role, after: Role) {
  const [from, to] = [t(roles[before]), t(roles[after])]
  if (account) {
    return whose === 'own'
      ? rich('{actor} changed your own role in {account} from {from} to {to}', { actor, account, from, to })
      : rich('{actor} changed your role in {account} from {from} to {to}', { actor, account, from, to })
  }
  return whose === 'own'
    ? rich('{actor} changed their own role from {from} to {to}', { actor, from, to })
    : rich('{actor} changed {other}’s role from {from} to {to}', { actor, other, from, to })
}

const roles: Record<Role, Text> = { owner: text('owner'), admin: text('admin'), member: text('member') }

export const sentenceInAccount = (activity: ActivityProps) => sentence(activity, inAccount(activity))

export const sentenceToOneself = (providers: Provider[]) => (activity: ActivityProps) =>
  sentence(activity, toOneself(activity, providers))

const words: Record<string, (perspective: Perspective, activity: never) => ReactNode> = Object.assign(
  {},
  coreSentences,
  ...features.map(({ sentences }) => sentences),
)

/** A feature that was removed leaves its activities behind, and during a deployment, newer processes write theirs. */
const unknown = ({ actor }: Perspective, { type }: ActivityProps) => rich('{actor} {what}', { actor, what: type })

function sentence(activity: ActivityProps, perspective: Perspective) {
  const details: unknown[] = Object.values(activity.details).flat()
  const isFlat = details.every((detail) => detail === null || typeof detail !== 'object')
  if (!isFlat) return unknown(perspective, activity) // React would throw at an object in a sentence
  try {
    // TypeScript cannot correlate the type with its function and data.
    return (words[activity.type] ?? unknown)(perspective, activity as never)
  } catch {
    return unknown(perspective, activity) // such as a role that this build does not know
  }
}

// Arabic names the action instead of conjugating it, which would need to know whether a woman or a man did it.
const asSubject = (name: string) => rich('{name}', { name: name === 'An operator' ? t('An operator') : name })

/** A program may be called like a person, so it is marked by what no name can look like. */
function actorOf({ actor_name, details }: ActivityProps, unknown: string) {
  const name = actor_name ?? unknown
  if (details.token_id === undefined || 'token_name' in details) return asSubject(name)
  const mark = createElement('span', { className: 'badge' }, t('Token'))
  return rich('{name}', { name: createElement('span', null, createElement(Name, null, name), ' ', mark) })
}

function inAccount(activity: ActivityProps): Perspective {
  const { details } = activity
  const isToThemself = details.name === undefined
  return {
    actor: actorOf(activity, t('Someone')),
    other: isToThemself ? t('themselves') : details.name,
    whose: isToThemself ? 'own' : 'theirs',
    account: undefined,
    providers: [],
  }
}

function toOneself(activity: ActivityProps, providers: Provider[]): Perspective {
  const { actor_name, details } = activity
  const isByReader = details.name === undefined && actor_name !== null
  return {
    actor: isByReader ? t('You') : actorOf(activity, t('An operator')),
    other: isByReader ? t('yourself') : t('you'),
    whose: isByReader ? 'own' : 'yours',
    account: details.account_name,
    providers,
  }
}
