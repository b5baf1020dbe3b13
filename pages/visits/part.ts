import { type ComponentType, lazy } from 'react'
import { explainMissingPart } from './chunks.ts'

/** A part of a page that is loaded when it is shown. If it cannot be loaded, the page is shown without it and says so. */
export const part = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() =>
    load().catch(() => {
      explainMissingPart()
      return { default: () => null }
    }),
  )
