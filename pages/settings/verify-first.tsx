import { usePage } from '@inertiajs/react'
import { MailWarning } from 'lucide-react'
import { Topic } from '../shared/topic.tsx'
import { ResendVerification } from '../shared/verification.tsx'
import { rich, t } from '../words/t.ts'

export function VerifyFirst() {
  const { user } = usePage().props.auth
  if (!user || user.verified) return null
  return (
    <Topic
      icon={MailWarning}
      title={t('Verify your email first')}
      explanation={rich('Before you can add anything here, verify that {email} is yours. We sent a link there.', {
        email: user.email,
      })}
      action={<ResendVerification>{t('Send it again')}</ResendVerification>}
    />
  )
}
