import { use } from 'react'
import { SiteContext } from '../shared/site.ts'

/** Those that belong to the product, or to an option that is on. */
export function useOn<Feature extends { option?: string }>(features: readonly Feature[]) {
  const { options } = use(SiteContext)
  return features.filter(({ option }) => option === undefined || options.includes(option))
}
