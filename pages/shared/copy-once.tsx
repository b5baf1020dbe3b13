import { Copy } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'
import { copyOrSay } from './copy-text.ts'

type Props = { label: string; text: string; copied: string; children: ReactNode }

/** Something secret that the server shows once, and a button that copies it. */
export function CopyOnce({ label, text, copied, children }: Props) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])

  return (
    <section className="card padded recovery" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {label}
      </h2>
      <p>{children}</p>
      <code className="copy-once">{text}</code>
      <div className="actions">
        <Button look="primary" onClick={() => copyOrSay(text, copied)}>
          <Copy aria-hidden="true" />
          {t('Copy')}
        </Button>
      </div>
    </section>
  )
}
