import t from 'tap'
import { accountRoute } from '../features/accounts/member.ts'
import { reserved } from '../features/accounts/slugs.ts'
import { paths } from '../features/paths.ts'
import { idParam, idPattern } from '../plugins/forms/parameters.ts'
import { builtFrontend } from '../server/frontend.ts'
import { sharedApp, startApp } from './helpers/app.ts'

t.test('every address is a route of its own', async (t) => {
  const asked: (string | undefined)[] = []
  const frontend: typeof builtFrontend = async (app, config) => {
    app.addHook('onRequest', async ({ routeOptions }) => void asked.push(routeOptions.url))
    return builtFrontend(app, config)
  }
  const { app } = await startApp(t, {}, { frontend })
  for (const [name, path] of Object.entries(paths)) {
    const isWithoutSlug = /(Passkey|Token|Identity|OpenInvitation)$/i.test(name)
    const { url, method } = (path as Path)(...(isWithoutSlug ? ids : ['acme', ...ids]))
    await app.inject({ method, url })
    t.equal(filled(asked.pop()), url.split('?')[0], `${name}: ${method} ${url}`)
  }
})

type Path = (...args: string[]) => { url: string; method: 'get' | 'post' | 'patch' | 'delete' }
const ids = ['1', '1', '1']

// A parameter and its pattern, with up to two pairs of parentheses inside of each other.
const parameter = /:\w+(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?/g

// If a route such as /dashboard were missing, its words would match the parameters of another route.
const filled = (route = 'no route') =>
  route.replace(parameter, (_, pattern = '') => (pattern.includes('\\d') ? '1' : 'acme'))

t.test('an address may have several ids', async (t) => {
  const route = `${accountRoute}/projects/${idPattern}/tasks/${idParam('taskId')}/done`
  t.equal(filled(route), '/acme/projects/1/tasks/1/done')
})

t.test('no account can take an address that the application serves', async (t) => {
  const { app } = await sharedApp(t)
  const lines = app.printRoutes({ commonPrefix: false }).split('\n')
  const segments = lines.flatMap((line) => /^ {4}[├└]── ([^/:* (]+)/.exec(line)?.[1] ?? [])
  t.ok(segments.includes('settings'), 'the routes could be read')
  for (const segment of segments) t.ok(reserved.has(segment) || !/^[a-z0-9-]{3,40}$/.test(segment), segment)
})
