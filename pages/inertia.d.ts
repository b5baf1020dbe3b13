import '@inertiajs/core'
import type { Flash, SharedProps } from '../plugins/inertia/pages.ts'

declare module '@inertiajs/core' {
  export interface InertiaConfig {
    sharedPageProps: SharedProps
    flashDataType: Flash
    errorValueType: string[]
  }
}
