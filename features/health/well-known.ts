import type { FastifyPluginAsync } from 'fastify'
import { day } from '../../brand/themes.ts'
import { paths } from '../paths.ts'

/** What browsers and password managers request at fixed URLs. */
export const wellKnown: FastifyPluginAsync = async (app) => {
  const { appName } = app.site
  const manifest = {
    name: appName,
    short_name: appName,
    start_url: paths.home().url,
    display: 'standalone',
    background_color: day.canvas,
    theme_color: day.accent,
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon.png', sizes: '512x512', type: 'image/png' },
    ],
  }
  app.get(paths.manifest().url, (_request, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(manifest),
  )

  // https://w3c.github.io/webappsec-change-password-url/
  app.get(paths.changePasswordHere().url, (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').redirect(paths.password().url),
  )
}
