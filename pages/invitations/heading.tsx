import type { ReactNode } from 'react'
import { Avatar } from '../shared/avatar.tsx'
import { Title } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'

type Props = { inviter: string; account: string; picture?: string | null; children: ReactNode }

export const InvitationHeading = ({ inviter, account, picture, children }: Props) => (
  <header className="heading">
    <Avatar of={account} name={account} picture={picture} />
    <Title text={t('{inviter} invited you to {account}', { inviter, account })} />
    <h1 id="content" tabIndex={-1}>
      {rich('{inviter} invited you to {account}', { inviter, account })}
    </h1>
    <p className="heading-lead">{children}</p>
  </header>
)
