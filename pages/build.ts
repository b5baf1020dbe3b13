import { fileURLToPath } from 'node:url'
import { createBuilder } from 'vite'
import { BadConfig } from '../server/config.ts'

/** Builds the browser's bundle into build/client and the server's into build/ssr. Throws if a page does not build. */
export async function build() {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production' // always a production build, whatever the environment of this process
  try {
    const builder = await createBuilder({ root, configFile: `${root}vite.config.ts`, logLevel: 'warn' })
    for (const environment of Object.values(builder.environments)) await builder.build(environment)
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

if (import.meta.main) {
  await build().catch((error) => {
    console.error(error instanceof BadConfig ? error.message : error)
    process.exitCode = 1
  })
}
