import { usePage } from '@inertiajs/react'
import { BadgeCheck } from 'lucide-react'
import { CopyOnce } from '../shared/copy-once.tsx'
import { Topic } from '../shared/topic.tsx'
import { t } from '../words/t.ts'
import { Code } from './code.tsx'
import { curlExample, nodeExample } from './verification.ts'

/** Shown once, after the webhook was added or its secret rolled. */
export const Secret = () => (
  <CopyOnce label={t('The secret of your webhook')} text={usePage().flash.secret} copied={t('The secret is copied.')}>
    {t(
      "You won't see this secret again. Keep it where only your receiver can read it: it tells our messages from others.",
    )}
  </CopyOnce>
)

export const Verification = () => (
  <Topic
    icon={BadgeCheck}
    title={t('How to verify what arrives')}
    explanation={t(
      'Each message is signed as Standard Webhooks 1.0 says, so that libraries for many languages verify it.',
    )}
  >
    <div className="padded">
      <details>
        <summary>{t('With Node.js')}</summary>
        <Code>{nodeExample}</Code>
      </details>
      <details>
        <summary>{t('Send a signed message yourself, with curl and openssl')}</summary>
        <Code>{curlExample}</Code>
      </details>
    </div>
  </Topic>
)
