import type { ReactNode } from 'react'
import { AppLayout } from './app.tsx'

export const settingsLayouts = [AppLayout, SettingsLayout]

function SettingsLayout({ children }: { children: ReactNode }) {
  return <div className="settings-section">{children}</div>
}
