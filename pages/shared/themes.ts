import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { type Text, text } from '../../plugins/languages/text.ts'
import type { Theme } from '../hooks/theme.ts'

export const themes: { value: Theme; name: Text; meaning: Text; icon: LucideIcon }[] = [
  { value: 'light', name: text('Light'), meaning: text('Always light'), icon: Sun },
  { value: 'dark', name: text('Dark'), meaning: text('Always dark'), icon: Moon },
  { value: 'system', name: text('System'), meaning: text('Same as your device'), icon: Monitor },
]
