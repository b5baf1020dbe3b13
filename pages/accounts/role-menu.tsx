import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import type { AccountProps, MemberProps } from '../../features/accounts/props.ts'
import type { Decision } from '../popups/confirmation.tsx'
import { Opener } from '../popups/opener.tsx'
import { type Role, roleNames } from '../words/roles.ts'
import { changeRole } from './member-actions.ts'

const load = () => import('./role-offers.tsx')
const RoleOffers = lazy(load)
const Confirmation = lazy(() => import('../popups/confirmation.tsx'))

type Props = { account: AccountProps; member: MemberProps; isViewer: boolean; canMakeOwners: boolean }

/**
 * A member's role, and the roles they could have. Asks for confirmation if the change cannot be undone by the person
 * who makes it.
 */
export function RoleMenu({ account, member, isViewer, canMakeOwners }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const [decision, setDecision] = useState<Decision>()

  const choose = (role: Role) => {
    const stepsDown = isViewer && member.role === 'owner'
    const change = () => changeRole(account, member, role, { canUndo: !stepsDown })
    if (role === 'owner') setDecision({ ...makingOwner(account, member), onConfirm: change })
    else if (stepsDown) setDecision({ ...steppingDown(account), onConfirm: change })
    else change()
  }

  return (
    <>
      <Opener
        opens="menu"
        load={load}
        trigger={
          <button type="button" ref={button} className="button button-small button-secondary role-button">
            <span className="visually-hidden">Role of {member.name}: </span>
            {roleNames[member.role]}
            <ChevronDown aria-hidden="true" />
          </button>
        }
      >
        {(trigger) => (
          <RoleOffers trigger={trigger} role={member.role} canMakeOwners={canMakeOwners} onChoose={choose} />
        )}
      </Opener>
      {decision && (
        <Suspense>
          <Confirmation {...decision} finalFocus={button} onClose={() => setDecision(undefined)} />
        </Suspense>
      )}
    </>
  )
}

const makingOwner = (account: AccountProps, member: MemberProps) => ({
  title: (
    <>
      Make <bdi>{member.name}</bdi> an owner?
    </>
  ),
  action: 'Make owner',
  explanation: (
    <p>
      <bdi>{member.name}</bdi> then decides about everything in <bdi>{account.name}</bdi>, its deletion and your own
      role included.
    </p>
  ),
})

const steppingDown = (account: AccountProps) => ({
  title: (
    <>
      Step down as owner of <bdi>{account.name}</bdi>?
    </>
  ),
  action: 'Step down',
  explanation: (
    <p>
      You no longer decide about <bdi>{account.name}</bdi>. Only another owner can make you one again.
    </p>
  ),
})
