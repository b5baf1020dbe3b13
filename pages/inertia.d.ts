import '@inertiajs/core'
import type { SharedProps } from '../plugins/inertia/pages.ts'

declare module '@inertiajs/core' {
  export interface InertiaConfig {
    sharedPageProps: SharedProps
    flashDataType: { notice?: string; alert?: string }
    errorValueType: string[]
  }
}
