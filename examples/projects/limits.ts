import { budget, defineLimit } from '../../plugins/security/limits/index.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    project_file: Limit
  }
}

defineLimit('project_file', { each: 'user', max: 10, windowSeconds: 180 })

export const fileBudget = budget('project_file')
