import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../shared/button.tsx'
import { toast } from '../visits/flashes.ts'
import { inFours } from './setup.tsx'

type Props = { codes: string[]; appName: string; onDone(): void }

/** Shown only once, since the server stores only digests. */
export function RecoveryCodes({ codes, appName, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const text = codes.map(inFours).join('\n')
  useEffect(() => heading.current?.focus(), [])

  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast('Your recovery codes are copied.')
  }

  return (
    <section className="card recovery">
      <h2 ref={heading} tabIndex={-1}>
        Keep your recovery codes
      </h2>
      <p>
        Each of them signs you in once when your phone is lost. They are shown only now, so keep them where you would
        keep a spare key, and not on that phone.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{inFours(code)}</code>
          </li>
        ))}
      </ul>
      <div className="recovery-actions">
        <Button onClick={copy}>
          <Copy aria-hidden="true" /> Copy
        </Button>
        <Button onClick={() => download(`${appName}: recovery codes\n\n${text}\n`)}>
          <Download aria-hidden="true" /> Download
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden="true" /> Print
        </Button>
        <Button look="primary" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </section>
  )
}

function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' })
  link.click()
  URL.revokeObjectURL(url)
}
