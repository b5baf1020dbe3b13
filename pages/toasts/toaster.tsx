import { Toast as BaseToast } from '@base-ui/react/toast'
import { CircleCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'

export interface Toast {
  text: string
  /** Such as undo. The message stays longer. */
  action?: { label: string; run(): void }
}

const manager = BaseToast.createToastManager<Toast>()
const shownFor = 5_000 // milliseconds
const shownWithAction = 10_000

// A separate root: it belongs to no page, so messages survive visits.
let mounted: Promise<void> | undefined

/** One toast per text. Showing it again extends it. */
export async function show(message: Toast) {
  mounted ??= mount()
  await mounted
  const timeout = message.action ? shownWithAction : shownFor
  manager.add({ id: message.text, description: message.text, timeout, data: message })
}

// A live region is announced only when it changes, so it must exist before its first message.
const mount = () =>
  new Promise<void>((resolve) => {
    const element = document.createElement('div')
    document.body.append(element)
    createRoot(element).render(<Toaster onReady={resolve} />)
  })

function Toaster({ onReady }: { onReady(): void }) {
  useEffect(onReady, [onReady])

  return (
    <BaseToast.Provider toastManager={manager}>
      <BaseToast.Viewport className="toasts">
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
        <CircleCheck className="toast-icon" aria-hidden="true" />
        <BaseToast.Description className="toast-text" />
        {action && (
          <button type="button" className="toast-action" onClick={act}>
            {action.label}
          </button>
        )}
        <BaseToast.Close className="toast-close" aria-label="Dismiss" aria-hidden={false}>
          <X aria-hidden="true" />
        </BaseToast.Close>
      </BaseToast.Root>
    )
  })
}
