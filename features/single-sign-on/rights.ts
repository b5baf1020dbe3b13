import { declareRights } from '../accounts/rights.ts'

const rights = declareRights({ 'sso.manage': ['owner'] })
type SsoRights = typeof rights

declare module '../accounts/rights.ts' {
  interface Rights extends SsoRights {}
}
