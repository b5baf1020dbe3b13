import type { Provider } from '../auth/props.ts'

declare module '../../plugins/inertia/pages.ts' {
  interface PageParts {
    providers: {
      'auth/sign-in': { providers: Provider[] }
      'auth/sign-up': { providers: Provider[] }
    }
  }
}
