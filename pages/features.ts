import type { Feature } from './feature.ts'

/** The features of the product, in the order of their tabs (docs/guide.md). */
export const features: Feature[] = []
