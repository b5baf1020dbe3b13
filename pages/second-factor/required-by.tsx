import { router } from '@inertiajs/react'
import { ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Topic } from '../shared/topic.tsx'
import { t } from '../words/t.ts'

/** Says why someone is here instead of in their workspace, and what opens it. */
export function RequiredBy({ required_by: accounts = [] }: PageProps<'settings/security'>) {
  if (accounts.length === 0) return null
  return (
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
}

/** Leads into the workspace that asked for a second factor, once there is one and its recovery codes are kept. */
export function useContinueToWorkspace(required: { slug: string }[], isBusy: boolean) {
  const [asking, setAsking] = useState(required[0])
  const isOpen = asking !== undefined && required.length === 0 && !isBusy
  useEffect(() => {
    if (!isOpen) return
    setAsking(undefined)
    router.visit(paths.account(asking.slug).url)
  }, [isOpen, asking])
}
