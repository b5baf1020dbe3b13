import { declareRights } from '../../features/accounts/rights.ts'

const rights = declareRights({
  /** Creates projects, and changes their own. */
  'projects.write': ['owner', 'admin', 'member'],
  /** Changes those of others. */
  'projects.manage': ['owner', 'admin'],
})
type ProjectRights = typeof rights

declare module '../../features/accounts/rights.ts' {
  interface Rights extends ProjectRights {}
}
