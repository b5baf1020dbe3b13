import { router } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import { showAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'
import type { Message } from './connection.ts'

/**
 * For people who lose access while viewing the account: they were removed, it was deleted, or it now requires a second
 * factor.
 */
export function exitAccount({ name }: { name: string }, reason: Message | undefined) {
  let isExplained = false
  router.visit(paths.dashboard().url, {
    replace: true,
    onSuccess: ({ flash }) => {
      isExplained = flash.alert !== undefined
    },
    onFinish: () => isExplained || showAlert({ text: explain(name, reason) }),
  })
}

function explain(name: string, { type, by = '' }: Message = {}) {
  if (type === 'removed') return t('{by} removed you from {name}.', { by, name })
  if (type === 'deleted') return t('{by} deleted {name}.', { by, name })
  return t('You no longer have access to {name}.', { name })
}
