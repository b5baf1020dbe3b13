import { CopyButton } from '../shared/copy-once.tsx'

export const Code = ({ children }: { children: string }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it */}
    <pre className="webhook-code" dir="ltr" tabIndex={0}>
      <code>{children}</code>
    </pre>
    <div className="actions">
      <CopyButton size="small" text={children} />
    </div>
  </>
)
