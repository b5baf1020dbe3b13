import { Copy } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { toast } from '../toasts/toast.ts'
import { showAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'
import { focusAtOnce } from './focus.ts'

type Props = { label: string; text: string | undefined; copied: string; children: ReactNode }

/** Something secret that the server sends once, and a button that copies it. Shown until something new takes its place. */
export function CopyOnce({ label, text, copied, children }: Props) {
  const id = useId()
  const [shown, setShown] = useState(text)
  if (text && text !== shown) setShown(text)
  if (!shown) return null

  return (
    <section className="card padded recovery" aria-labelledby={id}>
      <h2 id={id} ref={focusAtOnce} tabIndex={-1}>
        {label}
      </h2>
      <p>{children}</p>
      <code className="copy-once">{shown}</code>
      <div className="actions">
        <CopyButton look="primary" text={shown} done={copied} />
      </div>
    </section>
  )
}

type ButtonProps = Pick<ComponentProps<typeof Button>, 'look' | 'size'> & {
  text: string
  done: string
  children?: string
}

export const CopyButton = ({ text, done, children = t('Copy'), ...button }: ButtonProps) => (
  <Button onClick={() => copy(text, done)} {...button}>
    <Copy aria-hidden="true" />
    {children}
  </Button>
)

async function copy(text: string, done: string) {
  try {
    await navigator.clipboard.writeText(text)
    await toast(done)
  } catch {
    // Not permitted, or there is no clipboard: browsers have one in secure contexts only.
    showAlert({ text: t("This browser doesn't let us copy. Select and copy the text yourself.") })
  }
}
