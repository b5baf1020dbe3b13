import { ShieldCheck } from 'lucide-react'
import { Topic } from '../shared/topic.tsx'
import { t } from '../words/t.ts'

/** Says why someone is here instead of in their workspace, and what opens it. */
export const RequiredBy = ({ accounts }: { accounts: { name: string; slug: string }[] }) => (
  <Topic
    role="status"
    icon={ShieldCheck}
    title={t('Two-factor authentication is required')}
    explanation={t('Set up an authenticator app or a passkey here. Then you can continue to:')}
    more={
      <ul>
        {accounts.map(({ name, slug }) => (
          <li key={slug}>
            <strong dir="auto">{name}</strong>
          </li>
        ))}
      </ul>
    }
  />
)
