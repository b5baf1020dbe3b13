import { MailWarning } from 'lucide-react'
import { ResendVerification } from '../shared/resend-verification.tsx'

/** Says beforehand why nothing can be added, and what to do. */
export const VerifyFirst = ({ email }: { email: string }) => (
  <section className="card row">
    <MailWarning className="row-icon" aria-hidden="true" />
    <div className="row-text">
      <h2>Verify your email first</h2>
      <span>
        Before you can add an authenticator app, a passkey, a connected account or a password, we have to know that{' '}
        <bdi>{email}</bdi> is yours. We sent a link there.
      </span>
    </div>
    <ResendVerification>Send it again</ResendVerification>
  </section>
)
