import { declareRights } from '../accounts/rights.ts'

const rights = declareRights({ 'tokens.manage': ['owner', 'admin'] })
type TokenRights = typeof rights

declare module '../accounts/rights.ts' {
  interface Rights extends TokenRights {}
}
