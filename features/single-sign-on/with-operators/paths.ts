import { destroy } from '../../paths.ts'

export const liftSsoRequirement = (id: number) => destroy(`/admin/accounts/${id}/sso_requirement`)

declare module '../../../plugins/inertia/pages.ts' {
  interface PageParts {
    'single-sign-on with operators': {
      'operators/account': { domains: { domain: string; verified_at: string | null }[] }
    }
  }
}
