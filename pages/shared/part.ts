import { type ComponentType, lazy } from 'react'
import { showAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'

/** Resolves to undefined if it cannot be loaded, and offers a reload: a browser may not try again in this document. */
export async function loaded<Part>(load: () => Promise<Part>) {
  try {
    return await load()
  } catch {
    const action = { label: t('Reload'), run: () => location.reload() }
    showAlert({ text: t('This page could not be loaded completely.'), action })
    return undefined
  }
}

/** A part of a page that is loaded when it is shown. The page is shown without it if that fails. */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => ({ default: (await loaded(load)) ?? (() => null) }))
