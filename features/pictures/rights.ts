import { declareRights } from '../accounts/rights.ts'

const rights = declareRights({ 'workspace.picture': ['owner', 'admin'] })
type PictureRights = typeof rights

declare module '../accounts/rights.ts' {
  interface Rights extends PictureRights {}
}
