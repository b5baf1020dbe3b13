import { CopyButton } from '../shared/copy-once.tsx'

/** Something to enter elsewhere, with a button that copies it. */
export const Copyable = ({ label, text }: { label: string; text: string }) => (
  <div className="copyable">
    <span>{label}</span>
    <CopyButton size="small" text={text} />
    <code dir="ltr">{text}</code>
  </div>
)
