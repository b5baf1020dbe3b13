import type { PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { Download, Printer } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { paths } from '../../features/paths.ts'
import { Ask } from '../popups/dialog.tsx'
import { Button } from '../shared/button.tsx'
import { CopyButton } from '../shared/copy-once.tsx'
import { saveText } from '../shared/files.ts'
import { focusAtOnce } from '../shared/focus.ts'
import { SiteContext } from '../shared/site.ts'
import { t } from '../words/t.ts'
import { inFours } from './second-factor.tsx'

type Props = { codes: string[]; onDone(): void; onLeave(): void }

export function RecoveryCodes({ codes, onDone, onLeave }: Props) {
  const { appName } = use(SiteContext)
  const text = codes.map(inFours).join('\n')

  return (
    <section className="card padded recovery">
      <Leaving onLeave={onLeave} />
      <h2 ref={focusAtOnce} tabIndex={-1}>
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
            <code dir="ltr">{inFours(code)}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton text={text} done={t('Your recovery codes are copied.')} />
        <Button
          onClick={() => saveText('recovery-codes.txt', `${t('{appName}: recovery codes', { appName })}\n\n${text}\n`)}
        >
          <Download />
          {t('Download')}
        </Button>
        <Button onClick={() => window.print()}>
          <Printer />
          {t('Print')}
        </Button>
        <Button look="primary" onClick={onDone}>
          {t("I've saved them")}
        </Button>
      </div>
    </section>
  )
}

function Leaving({ onLeave }: { onLeave(): void }) {
  const [target, setTarget] = useState<PendingVisit>()

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault() // the browser asks in its own words
    window.addEventListener('beforeunload', warn)
    const stop = router.on('before', ({ detail: { visit } }) => {
      // The forms of this page stay on it.
      const leaves = visit.method === 'get' || visit.url.pathname.startsWith(paths.endSession('').url)
      if (!leaves || visit.prefetch || visit.async || target) return
      setTarget(visit)
      return false
    })
    return () => {
      window.removeEventListener('beforeunload', warn)
      stop()
    }
  }, [target])

  if (!target) return null
  return (
    <Ask
      title={t('Leave without your recovery codes?')}
      explanation={t("They are shown only now. If you lose your phone, you'll need them to sign in.")}
      cancel={t('Back to the codes')}
      action={t('Leave')}
      onConfirm={() => {
        onLeave()
        router.visit(target.url, target)
      }}
      onClose={() => setTarget(undefined)}
    />
  )
}
