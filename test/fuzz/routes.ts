import type { FastifyInstance, RouteOptions } from 'fastify'
import { builtFrontend } from '../../server/frontend.ts'

export type Route = { method: string; url: string; fields: string[]; queried: string[] }

/** The pages of the build, and every route that is registered after them, so that a new one joins by itself. */
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

// static files are many, and all alike
const isFile = (url: string) => /\.\w+$/.test(url)

const methodsOf = ({ method, url, schema }: RouteOptions): Route[] =>
  [method].flat().map((each) => {
    return { method: each, url, fields: propertiesOf(schema?.body), queried: propertiesOf(schema?.querystring) }
  })

const propertiesOf = (schema: unknown) =>
  Object.keys((schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {})

/** An address of a route, with these values in the place of its parameters. */
export const fill = (url: string, values: Record<string, string>) =>
  url.replace(/:(\w+)(\([^)]*\))?/g, (_, name) => values[name] ?? 'x').replace('*', 'x')
