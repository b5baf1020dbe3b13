import { MailWarning } from 'lucide-react'
import { ResendVerification } from '../shared/resend-verification.tsx'
import { Topic } from '../shared/topic.tsx'
import { rich, t } from '../words/t.ts'

export const VerifyFirst = ({ email }: { email: string }) => (
  <Topic
    icon={MailWarning}
    title={t('Verify your email first')}
    explanation={rich(
      `Before you can add an authenticator app, a passkey, a connected account, a password or a token, verify that
        {email} is yours. We sent a link there.`,
      { email },
    )}
    action={<ResendVerification>{t('Send it again')}</ResendVerification>}
  />
)
