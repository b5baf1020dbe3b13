import { Check, Copy } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { showAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'
import { focusAtOnce } from './focus.ts'

type Props = {
  label: string
  text: string | undefined
  copied: string
  /** What to do with it in a terminal. */
  command?: { of(secret: string): string; label: string; button: string; copied: string }
  children: ReactNode
}

/**
 * Something secret that the server sends once, and a button that copies it. Shown until something new takes its place.
 */
export function CopyOnce({ label, text, copied, command, children }: Props) {
  const id = useId()
  const [shown, setShown] = useState(text)
  if (text && text !== shown) setShown(text)
  if (!shown) return null

  return (
    <section className="card padded recovery" aria-labelledby={id}>
      {/* Another key for each secret, so that the next one is read first, too. */}
      <h2 key={shown} id={id} ref={focusAtOnce} tabIndex={-1}>
        {label}
      </h2>
      <p>{children}</p>
      <code className="copy-once" dir="ltr">
        {shown}
      </code>
      <div className="actions">
        <CopyButton look="primary" text={shown} done={copied} />
      </div>
      {command && (
        <>
          <p>{command.label}</p>
          <code className="copy-once" dir="ltr">
            {command.of(shown)}
          </code>
          <div className="actions">
            <CopyButton text={command.of(shown)} done={command.copied}>
              {command.button}
            </CopyButton>
          </div>
        </>
      )}
    </section>
  )
}

type ButtonProps = Pick<ComponentProps<typeof Button>, 'look' | 'size'> & {
  text: string
  /** Said beside it, where there is room. */
  done?: string
  children?: string
}

/** Says itself that it has copied, since a toast could cover what is shown only once. */
export function CopyButton({ text, done, children = t('Copy'), ...button }: ButtonProps) {
  const [copied, setCopied] = useState<string>()
  const isCopied = copied === text

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(text)
    } catch {
      // Not permitted, or there is no clipboard: browsers have one in secure contexts only.
      showAlert({ text: t("This browser doesn't let us copy. Select and copy the text yourself.") })
    }
  }

  return (
    <>
      <Button onClick={copy} {...button}>
        {isCopied ? <Check /> : <Copy />}
        {isCopied && !done ? t('Copied') : children}
      </Button>
      <span className={done ? 'copied' : 'visually-hidden'} role="status">
        {isCopied && (done ?? t('Copied'))}
      </span>
    </>
  )
}
