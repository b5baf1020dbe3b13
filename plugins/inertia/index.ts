import plugin from 'fastify-plugin'
import type { DeclaredProps, Exact, HandlerProps, SharedName, Sharing } from './contract.ts'
import type { AddedProps, Flash, PageName, SharedProps } from './pages.ts'
import { followable, refuseOldVersion } from './redirects.ts'
import { type Additions, type InertiaOptions, renderPage, type Shares } from './render.ts'

export { readAssets } from './assets.ts'
export type * from './pages.ts'
export { always, deepMerge, defer, merge, once, optional, prepend, scroll } from './props.ts'
export type { InertiaOptions } from './render.ts'
export { createRenderer, type Renderer } from './ssr.ts'
export { isPrefetch } from './visit.ts'

export default plugin<InertiaOptions>(
  async (app, options) => {
    const { origin, version } = options
    const shares: Shares = new Map()
    const additions: Additions = new Map()
    const rendering = { ...options, shares, additions }

    app.decorateRequest('inertia', {
      getter() {
        return this.headers['x-inertia'] !== undefined
      },
    })
    app.decorate('share', function (name, prop) {
      if (shares.has(name)) throw new Error(`The prop "${name}" is shared already`)
      shares.set(name, prop)
      return this
    })
    app.decorate('addProps', function (name, props) {
      additions.set(name, [...(additions.get(name) ?? []), props])
      return this
    })
    // Compared with the type of the method, this would be compared with each page there is.
    app.decorateReply<Page, string>('page', function (component, props) {
      return renderPage(rendering, this, component, props)
    })
    app.decorateReply('pageFlash', null)
    app.decorateReply('flashNow', function (flash) {
      this.pageFlash = { ...this.pageFlash, ...flash }
      return this
    })
    app.decorateReply('external', function (url) {
      return this.request.inertia ? this.code(409).header('x-inertia-location', url).send() : this.redirect(url, 302)
    })
    app.addHook('onRequest', refuseOldVersion(origin, version))
    app.addHook('onSend', followable(origin))
  },
  { name: 'inertia' },
)

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Registers a prop for every page. Slow work belongs in a closure or kind, since the function runs for each page.
     */
    share<Name extends SharedName, Prop>(
      name: Name,
      prop: (request: FastifyRequest) => Shared<Prop, Name> | Promise<Shared<Prop, Name>>,
    ): this
    /** Adds what an option declares in `PageParts` to a page of others, each time that it is shown. */
    addProps<Name extends PageName, Props extends object>(
      name: Name,
      props: (request: FastifyRequest, reply: FastifyReply) => Added<Props, Name> | Promise<Added<Props, Name>>,
    ): this
  }
  interface FastifyRequest {
    readonly inertia: boolean
  }
  interface FastifyReply {
    page<Name extends PageName, Props extends object>(
      name: Name,
      props: Props & HandlerProps<DeclaredProps<Name>> & Exact<Props, DeclaredProps<Name>>,
    ): FastifyReply | Promise<FastifyReply>
    flashNow(flash: Flash): this
    pageFlash: Flash | null
    external(url: string): FastifyReply
  }
}

type Page = (component: string, props: object) => ReturnType<typeof renderPage>
type Added<Props, Name extends PageName> = Props &
  HandlerProps<Partial<AddedProps<Name>>> &
  Exact<Props, Partial<AddedProps<Name>>>
type Shared<Prop, Name extends SharedName> = Prop & Sharing<Name> & Exact<Prop, SharedProps[Name]>
