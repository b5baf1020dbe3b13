import { ShieldCheck } from 'lucide-react'
import { t } from '../words/t.ts'

/** Says why someone is here instead of in their workspace, and what opens it. */
export const RequiredBy = ({ accounts }: { accounts: { name: string; slug: string }[] }) => (
  <section className="card row" role="status">
    <ShieldCheck className="row-icon" aria-hidden="true" />
    <div className="row-text">
      <h2>{t('Two-factor authentication is required')}</h2>
      <span>{t('Set up an authenticator app or a passkey here. Then you can continue to:')}</span>
      <ul>
        {accounts.map(({ name, slug }) => (
          <li key={slug}>
            <strong dir="auto">{name}</strong>
          </li>
        ))}
      </ul>
    </div>
  </section>
)
