import { useRef, useState } from 'react'
import { EmailField } from '../forms/email-field.tsx'
import { rich, t } from '../words/t.ts'

/**
 * `isOnlyWay`: sign-up is by invitation only, so no other address is accepted.
 */
type Props = { email: string; accountName: string; isOnlyWay: boolean }

/** The invited address. Choosing another one is an explicit step, since the invitation then has to wait. */
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
        own
          ? rich("With another address, you won't join {account}. The invitation is for {email}.", {
              account: accountName,
              email,
            })
          : rich("This address was invited, so you don't have to verify it. {button}", {
              button: !isOnlyWay && (
                <button type="button" className="link" onClick={useOwn}>
                  {t('Use another address')}
                </button>
              ),
            })
      }
    />
  )
}
