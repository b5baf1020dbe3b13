import { MailWarning } from 'lucide-react'
import { ResendVerification } from '../shared/resend-verification.tsx'
import { rich, t } from '../words/t.ts'

export const VerifyFirst = ({ email }: { email: string }) => (
  <section className="card row">
    <MailWarning className="row-icon" aria-hidden="true" />
    <div className="row-text">
      <h2>{t('Verify your email first')}</h2>
      <span>
        {rich(
          `Before you can add an authenticator app, a passkey, a connected account, a password or a token, verify that
            {email} is yours. We sent a link there.`,
          { email: <bdi>{email}</bdi> },
        )}
      </span>
    </div>
    <ResendVerification>{t('Send it again')}</ResendVerification>
  </section>
)
