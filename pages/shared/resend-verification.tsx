import { useForm } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { paths } from '../../features/paths.ts'
import { SmallButton } from './button.tsx'

export function ResendVerification({ children }: { children: ReactNode }) {
  const { submit, processing } = useForm({})
  const resend = () => processing || submit(paths.resendVerification(), { preserveScroll: true })

  return (
    <SmallButton aria-disabled={processing} onClick={resend}>
      {children}
    </SmallButton>
  )
}
