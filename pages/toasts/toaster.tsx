import { Toast as BaseToast } from '@base-ui/react/toast'
import { CircleCheck, X } from 'lucide-react'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'

export interface Toast {
  text: string
  /** Such as a way back. The message stays longer for it. */
  action?: { label: string; run(): void }
}

const manager = BaseToast.createToastManager<Toast>()
const shownFor = 5_000 // milliseconds
const shownWithAction = 10_000

// A root of its own: it is not part of any page, so no visit takes a message away before it was read.
let mounted: Promise<void> | undefined

/** One message for each text: saying it again only keeps it longer. */
export async function show(message: Toast) {
  mounted ??= mount()
  await mounted
  const timeout = message.action ? shownWithAction : shownFor
  manager.add({ id: message.text, description: message.text, timeout, data: message })
}

// A live region is announced when it changes, so it must be there, empty, before its first message.
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

// A message asks nothing. As a dialog, which it is for the library, it would need a title besides its text.
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
