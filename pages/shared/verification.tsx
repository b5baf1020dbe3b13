import { router, useForm } from '@inertiajs/react'
import { type ReactNode, useEffect } from 'react'
import { paths } from '../../features/paths.ts'
import { SmallButton } from './button.tsx'

export function ResendVerification({ children }: { children: ReactNode }) {
  const { submit, processing } = useForm({})
  const resend = () => processing || submit(paths.resendVerification(), { preserveScroll: true })

  return (
    <SmallButton data-verifies aria-disabled={processing} onClick={resend}>
      {children}
    </SmallButton>
  )
}

/** Reloads when the tab becomes visible: the link may have been opened on another device. */
export function useVerifiedElsewhere(isVerified: boolean) {
  useEffect(() => {
    if (isVerified) return
    const only = ['auth', 'open_invitations', 'first_steps']
    const look = () => document.hidden || router.reload({ only, showProgress: false })
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isVerified])
}
