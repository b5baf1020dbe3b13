import { usePage } from '@inertiajs/react'
import { useOffline } from '../hooks/offline.ts'
import { useHydrated } from '../hooks/store.ts'
import { Alert } from '../shared/alert.tsx'
import { focusHeading } from '../shared/focus.ts'
import { Icon } from '../shared/icon.tsx'
import { dismissAlert, type Alert as Shown, useAlert } from '../visits/alerts.ts'
import { alertText } from '../visits/flashes.ts'
import { t } from '../words/t.ts'
import { SupportAfterAlert } from './footer.tsx'

export const SkipLink = () => (
  <a className="skip-link" href="#content">
    {t('Skip to content')}
  </a>
)

/** Quiet, since nothing has failed. Always rendered, because a live region is announced only when it changes. */
export function Connection({ isReconnecting = false }) {
  const isOffline = useOffline()
  return (
    <p className="connection" role="status">
      {isOffline && t('You are offline. What you type here is not lost.')}
      {!isOffline && isReconnecting && t('Reconnecting…')}
    </p>
  )
}

export function PageAlert() {
  const { flash, props } = usePage()
  const shown = useAlert()
  const text = flash.alert && alertText(flash.alert, props)
  // the server only knows the alert that came with the page
  const alert: Shown | undefined = useHydrated() ? shown : text ? { text } : undefined
  if (!alert) return null

  return (
    <div className="page-alert">
      <Alert>
        {alert.text}
        <SupportAfterAlert />
        {alert.action && (
          <button type="button" className="alert-action" onClick={alert.action.run}>
            {alert.action.label}
          </button>
        )}
        <button type="button" className="alert-close" aria-label={t('Dismiss')} onClick={dismiss}>
          <Icon name="close" />
        </button>
      </Alert>
    </div>
  )
}

function dismiss() {
  focusHeading()
  dismissAlert()
}
