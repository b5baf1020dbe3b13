import type { FastifyInstance, RouteOptions } from 'fastify'
import { builtFrontend } from '../../server/frontend.ts'

export type Route = { method: string; url: string; fields: string[]; queried: string[] }

/** The built frontend, and all routes registered after it. New routes are included automatically. */
export function collectingRoutes() {
  const routes: Route[] = []
  const frontend: typeof builtFrontend = async (app, config) => {
    app.addHook('onRoute', (route) => {
      if (!isFile(route.url)) routes.push(...methodsOf(route))
    })
    return builtFrontend(app as FastifyInstance, config)
  }
  return { routes, frontend }
}

// static files are many and all alike
const isFile = (url: string) => /\.\w+$/.test(url)

const methodsOf = ({ method, url, schema }: RouteOptions): Route[] =>
  [method].flat().map((each) => {
    return { method: each, url, fields: propertiesOf(schema?.body), queried: propertiesOf(schema?.querystring) }
  })

const propertiesOf = (schema: unknown) =>
  Object.keys((schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {})

/** The URL of a route with these parameter values. */
export const fill = (url: string, values: Record<string, string>) =>
  url.replace(/:(\w+)(\([^)]*\))?/g, (_, name) => values[name] ?? 'x').replace('*', 'x')
