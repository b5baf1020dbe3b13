import type { ReactNode } from 'react'
import type { Role } from '../../drizzle/schema.ts'
import type { ActivityProps } from '../../features/activity/props.ts'
import { Name } from '../shared/name.tsx'
import { withMethod } from './methods.ts'

type Type = ActivityProps['type']
type Of<T extends Type> = Extract<ActivityProps, { type: T }>

/** Who did it, to whom, and in which account, in the reader's perspective. */
type Said = {
  actor: ReactNode
  other: ReactNode
  /** Possessive, as in "your role". */
  others: ReactNode
  account: ReactNode
  /** At the start of a sentence. */
  Other: ReactNode
  /** The account with a preposition such as "in". Empty if the page is about that account. */
  here(word?: 'in' | 'from'): ReactNode
}

type Words = { [T in Type]: (said: Said, activity: Of<T>) => ReactNode }

/** A sentence for every type. A new type that is missing here does not compile. */
const words: Words = {
  signed_up: ({ actor }) => <>{actor} signed up</>,
  signed_in: ({ actor }, { details }) => (
    <>
      {actor} signed in {withMethod(details.method)}
    </>
  ),
  signed_out: ({ actor }) => <>{actor} signed out</>,
  session_ended: ({ actor }) => <>{actor} ended another session</>,
  sessions_ended: ({ actor }) => <>{actor} ended all other sessions</>,
  sign_in_refused: () => <>Somebody tried to sign in with a wrong password</>,
  email_verified: ({ actor }) => <>{actor} verified the email address</>,
  profile_changed: ({ actor }, { details }) => (
    <>
      {actor} changed the name from <Name>{details.from}</Name> to <Name>{details.to}</Name>
    </>
  ),
  email_changed: ({ actor }) => <>{actor} changed the email address</>,
  password_changed: ({ actor }) => <>{actor} changed the password</>,
  password_reset: ({ actor }) => <>{actor} reset the password through a mail</>,
  data_exported: ({ actor }) => <>{actor} exported all data</>,
  second_factor_enabled: ({ actor }) => <>{actor} turned two-factor authentication on</>,
  second_factor_disabled: ({ actor }) => <>{actor} turned two-factor authentication off</>,
  recovery_codes_made: ({ actor }) => <>{actor} made new recovery codes</>,
  recovery_code_used: ({ actor }) => <>{actor} used a recovery code</>,
  second_factor_locked: () => <>Somebody who knows the password typed ten wrong codes</>,
  passkey_added: ({ actor }, { details }) => (
    <>
      {actor} added the passkey <Name>{details.passkey_name}</Name>
    </>
  ),
  passkey_renamed: ({ actor }, { details }) => (
    <>
      {actor} renamed the passkey <Name>{details.from}</Name> to <Name>{details.to}</Name>
    </>
  ),
  passkey_removed: ({ actor }, { details }) => (
    <>
      {actor} removed the passkey <Name>{details.passkey_name}</Name>
    </>
  ),
  picture_changed: ({ actor }, { details }) => (
    <>
      {actor} {details.removed ? 'removed' : 'changed'} the picture
    </>
  ),
  identity_connected: ({ actor }, { details }) => (
    <>
      {actor} connected <Name>{details.provider_name}</Name>
    </>
  ),
  identity_disconnected: ({ actor }, { details }) => (
    <>
      {actor} disconnected <Name>{details.provider_name}</Name>
    </>
  ),
  account_created: ({ actor, account }) => (
    <>
      {actor} created {account}
    </>
  ),
  account_renamed: ({ actor }, { details }) => (
    <>
      {actor} renamed the workspace from <Name>{details.from}</Name> to <Name>{details.to}</Name>
    </>
  ),
  account_deleted: ({ actor, account }) => (
    <>
      {actor} deleted {account}
    </>
  ),
  member_invited: ({ actor }, { details }) => (
    <>
      {actor} invited <Invited email={details.email} /> as {articles[details.role]}
    </>
  ),
  invitation_revoked: ({ actor }, { details }) => (
    <>
      {actor} revoked the invitation of <Invited email={details.email} /> as {articles[details.role]}
    </>
  ),
  invitation_declined: ({ actor, account }, { details }) => (
    <>
      {actor} declined the invitation to {account} as {articles[details.role]}
    </>
  ),
  member_joined: ({ actor, here }, { details }) => (
    <>
      {actor} joined{here()} as {articles[details.role]}
    </>
  ),
  role_changed: ({ actor, others, Other, here }, { actor_name, details }) =>
    actor_name === null ? (
      <>
        {Other} became {articles[details.to]}
        {here('in')}, since no owner was left
      </>
    ) : (
      <>
        {actor} changed {others} role{here('in')} from {details.from} to {details.to}
      </>
    ),
  member_removed: ({ actor, other, here }) => (
    <>
      {actor} removed {other}
      {here('from')}
    </>
  ),
  member_left: ({ actor, here }) => (
    <>
      {actor} left{here()}
    </>
  ),
}

const Invited = ({ email }: { email: string | undefined }) => (email ? <Name>{email}</Name> : 'somebody')

const articles: Record<Role, string> = { owner: 'an owner', admin: 'an admin', member: 'a member' }

/** For the activity page of an account. */
export const sayInAccount = (activity: ActivityProps) => say(activity, inAccount(activity))

/** For the user's own activity page. */
export const sayToOneself = (activity: ActivityProps) => say(activity, toOneself(activity))

// TypeScript cannot correlate the type with its function and data.
const say = (activity: ActivityProps, said: Said) => (words[activity.type] as Words[Type])(said, activity as never)

function inAccount({ actor_name, details }: ActivityProps): Said {
  const own = details.name === undefined
  const other = own ? 'themself' : <Name>{details.name}</Name>
  return {
    actor: actor_name === null ? 'Somebody' : <Name>{actor_name}</Name>,
    other,
    others: own ? 'their own' : <>{other}’s</>,
    Other: other,
    account: 'the workspace',
    here: () => null,
  }
}

function toOneself({ actor_name, details }: ActivityProps): Said {
  const own = details.name === undefined && actor_name !== null
  const name = <Name>{details.account_name}</Name>
  return {
    actor: own ? 'You' : actor_name === null ? 'An operator' : <Name>{actor_name}</Name>,
    other: own ? 'yourself' : 'you',
    others: own ? 'your own' : 'your',
    Other: 'You',
    account: <>the workspace {name}</>,
    here: (word) => (
      <>
        {' '}
        {word} {name}
      </>
    ),
  }
}
