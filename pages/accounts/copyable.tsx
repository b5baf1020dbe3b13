import { CopyButton } from '../shared/copy-once.tsx'
import { t } from '../words/t.ts'

/** Something to enter elsewhere, with a button that copies it. */
export const Copyable = ({ label, text }: { label: string; text: string }) => (
  <div className="copyable">
    <span>{label}</span>
    <CopyButton size="small" text={text} done={t('Copied')} />
    <code dir="ltr">{text}</code>
  </div>
)
