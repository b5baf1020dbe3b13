import { useForm } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { paths } from '../../features/paths.ts'
import { Button } from './button.tsx'

export function ResendVerification({ children }: { children: ReactNode }) {
  const { submit, processing } = useForm({})
  const resend = () => processing || submit(paths.resendVerification(), { preserveScroll: true })

  return (
    <Button size="small" aria-disabled={processing} onClick={resend}>
      {children}
    </Button>
  )
}
