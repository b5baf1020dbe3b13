import { textOf } from '../plugins/files.ts'
import { BadConfig } from './environment.ts'

/** A line of each patch in `patches/`, which its file has only if the patch was applied. */
export const markers = {
  fastify: ['lib/route.js', "res.on('close', onAbort)"],
  'sonic-boom': ['index.js', 'if (!shouldRetry || !this.retryEAGAIN'],
  postgres: ['src/connection.js', 'readOnly'],
  '@inertiajs/core': ['dist/index.js', 'traversals'],
} as const

/** Refuses packages that were installed without the patches, which nobody would notice until a fault comes back. */
export function requirePatches(modules = new URL('../node_modules/', import.meta.url)) {
  // The image has no packages of the browser.
  const lines = Object.entries(markers)
    .filter(([name, [file, marker]]) => textOf(new URL(`${name}/${file}`, modules))?.includes(marker) === false)
    .map(
      ([name]) => `${name} is installed without its patch: run \`node patches/apply.js\`, or \`npm ci\` with scripts`,
    )
  if (lines.length > 0) throw new BadConfig(lines)
}
