import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../shared/button.tsx'
import { copyOrSay } from '../shared/copy-text.ts'
import { saveText } from '../shared/files.ts'
import { t } from '../words/t.ts'
import { Leaving } from './leaving.tsx'
import { inFours } from './setup.tsx'

type Props = { codes: string[]; appName: string; onDone(): void; onLeave(): void }

/** Shown only once, since the server stores only digests. */
export function RecoveryCodes({ codes, appName, onDone, onLeave }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const text = codes.map(inFours).join('\n')
  useEffect(() => heading.current?.focus(), [])

  return (
    <section className="card padded recovery">
      <Leaving
        title={t('Leave without your recovery codes?')}
        explanation={<p>{t("They are shown only now. If you lose your phone, you'll need them to sign in.")}</p>}
        stay={t('Back to the codes')}
        onLeave={onLeave}
      />
      <h2 ref={heading} tabIndex={-1}>
        {t('Save your recovery codes')}
      </h2>
      <p>
        {t(
          `If you lose your phone, each of them signs you in once. They are shown only now, so keep them where you'd
            keep a spare key, and not on that phone.`,
        )}
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{inFours(code)}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button onClick={() => copyOrSay(text, t('Your recovery codes are copied.'))}>
          <Copy aria-hidden="true" />
          {t('Copy')}
        </Button>
        <Button
          onClick={() => saveText('recovery-codes.txt', `${t('{appName}: recovery codes', { appName })}\n\n${text}\n`)}
        >
          <Download aria-hidden="true" />
          {t('Download')}
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          {t('Print')}
        </Button>
        <Button look="primary" onClick={onDone}>
          {t("I've saved them")}
        </Button>
      </div>
    </section>
  )
}
