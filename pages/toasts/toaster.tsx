import { Toast as BaseToast } from '@base-ui/react/toast'
import { router } from '@inertiajs/react'
import { CircleCheck, Info, X } from 'lucide-react'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { useAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'

export interface Toast {
  text: string
  /** Such as undo. The message stays longer. */
  action?: { label: string; run(): void } | undefined
  /** Informational, not a success. */
  isNeutral?: boolean
}

const manager = BaseToast.createToastManager<Toast>()
const shownMs = 5_000
const shownWithActionMs = 10_000

// A separate root: it belongs to no page, so messages survive visits.
let mounted: Promise<void> | undefined

export async function show(message: Toast) {
  mounted ??= mount()
  await mounted
  const timeout = message.action ? shownWithActionMs : shownMs
  manager.add({ id: message.text, description: message.text, timeout, data: message })
}

export const closeToasts = () => manager.close()

// A live region is announced only when it changes, so it must exist before its first message.
const mount = () =>
  new Promise<void>((resolve) => {
    const element = document.createElement('div')
    document.body.append(element)
    createRoot(element).render(<Toaster onReady={resolve} />)
  })

function Toaster({ onReady }: { onReady(): void }) {
  useEffect(onReady, [onReady])
  // Success and error together would contradict each other.
  const alert = useAlert()
  useEffect(() => {
    if (alert) manager.close()
  }, [alert])
  useEffect(() => router.on('error', () => manager.close()), [])

  return (
    <BaseToast.Provider toastManager={manager} limit={1}>
      <BaseToast.Viewport className="toasts" aria-label={t('Notifications')}>
        <Toasts />
      </BaseToast.Viewport>
    </BaseToast.Provider>
  )
}

// The library renders toasts as dialogs, which would need a title besides the text.
const notDialog = { role: 'group', 'aria-modal': undefined }

function Toasts() {
  const { toasts } = BaseToast.useToastManager<Toast>()
  return toasts.map((toast) => {
    const action = toast.data?.action
    const act = () => {
      manager.close(toast.id)
      action?.run()
    }
    return (
      <BaseToast.Root key={toast.id} toast={toast} className="toast" swipeDirection="down" {...notDialog}>
        {toast.data?.isNeutral ? <Info className="toast-icon" /> : <CircleCheck className="toast-icon" />}
        <BaseToast.Description className="toast-text" />
        {action && (
          <button type="button" className="toast-action" onClick={act}>
            {action.label}
          </button>
        )}
        <BaseToast.Close className="toast-close" aria-label={t('Dismiss')} aria-hidden={false}>
          <X />
        </BaseToast.Close>
      </BaseToast.Root>
    )
  })
}
