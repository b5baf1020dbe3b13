import { type ComponentType, lazy } from 'react'
import { showAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'

/** A part of a page that is loaded when it is shown. If that fails, the page is shown without it and says so. */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() }
    } catch {
      const action = { label: t('Reload'), run: () => location.reload() }
      showAlert({ text: t('This page could not be loaded completely.'), action })
      return { default: () => null }
    }
  })
