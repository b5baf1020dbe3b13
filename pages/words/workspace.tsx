import { rich, t } from './t.ts'

type Named = { name: string; personal?: true }

/** A workspace's name for its reader: another person's name alone would look like the person. */
export const workspaceName = ({ name, personal }: Named) => (personal ? t('{name}’s workspace', { name }) : name)

type Invited = { account_name: string; account_personal?: true }

export const invitedName = ({ account_name: name, account_personal: personal }: Invited) =>
  workspaceName({ name, ...(personal && { personal }) })

export const Joining = (invitation: Invited) => (
  <>{rich('Join {account_name}', { account_name: invitedName(invitation) })}</>
)
