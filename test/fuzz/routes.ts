import type { FastifyInstance, RouteOptions } from 'fastify'
import { builtFrontend } from '../../server/frontend.ts'

export type Route = { method: string; url: string; fields: string[]; queried: string[] } & Record<Trait, boolean>
type Trait = 'isLimited' | 'isForEveryone' | 'isHidden'

/** The built frontend, and all routes registered after it. New routes are included automatically. */
export function collectingRoutes() {
  const routes: Route[] = []
  const frontend: typeof builtFrontend = async (app, config) => {
    const found: RouteOptions[] = []
    app.addHook('onRoute', (route) => {
      if (!isFile(route.url)) found.push(route)
    })
    app.addHook('onReady', async () => void routes.push(...found.flatMap(methodsOf))) // with PUT, which a hook adds
    return builtFrontend(app as FastifyInstance, config)
  }
  return { routes, frontend }
}

// static files are many and all alike
const isFile = (url: string) => /\.\w+$/.test(url)

const methodsOf = ({ method, url, schema, config }: RouteOptions): Route[] =>
  [method].flat().map((each) => ({
    method: each,
    url,
    fields: propertiesOf(schema?.body),
    queried: propertiesOf(schema?.querystring),
    isLimited: config?.rateLimit !== undefined,
    isForEveryone: config?.forEveryone === true,
    isHidden: config?.hideFromOthers !== undefined,
  }))

const propertiesOf = (schema: unknown) =>
  Object.keys((schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {})

/** The URL of a route with these parameter values. */
export const fill = (url: string, values: Record<string, string>) =>
  withoutExpressions(url)
    // What lies below something has an id of its own, for which any will do.
    .replace(/:(\w+)/g, (_, name) => values[name] ?? (name === 'deliveryId' ? values.id : undefined) ?? 'x')
    .replace('*', 'x')

function withoutExpressions(url: string): string {
  const simpler = url.replace(/\([^()]*\)/g, '')
  return simpler === url ? url : withoutExpressions(simpler)
}
