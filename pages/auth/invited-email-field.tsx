import { useRef, useState } from 'react'
import { EmailField } from '../forms/email-field.tsx'

type Props = { email: string; accountName: string /** Another address could not sign up at all. */; isOnlyWay: boolean }

/** The address that was invited. Another one is a decision, because the invitation then has to wait. */
export function InvitedEmailField({ email, accountName, isOnlyWay }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [own, setOwn] = useState(false)
  const useOwn = () => {
    setOwn(true)
    field.current?.select()
  }

  return (
    <EmailField
      ref={field}
      autoComplete="username"
      defaultValue={email}
      readOnly={!own}
      hint={
        own ? (
          <>
            With another address you do not join <bdi>{accountName}</bdi>. The invitation waits for {email}.
          </>
        ) : (
          <>
            This address was invited, so it needs no other proof.{' '}
            {!isOnlyWay && (
              <button type="button" className="link" onClick={useOwn}>
                Use another address
              </button>
            )}
          </>
        )
      }
    />
  )
}
