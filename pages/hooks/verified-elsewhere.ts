import { router } from '@inertiajs/react'
import { useEffect } from 'react'

/** Reloads when the tab becomes visible: the link may have been opened on another device. */
export function useVerifiedElsewhere(isVerified: boolean) {
  useEffect(() => {
    if (isVerified) return
    const look = () => document.hidden || router.reload({ only: ['auth', 'open_invitations'], showProgress: false })
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [isVerified])
}
