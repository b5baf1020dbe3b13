import type { FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import type { Exact, Given, SharedName, Sharing, Wanted } from './contract.ts'
import type { Document } from './document.ts'
import type { FlashStore } from './flash-store.ts'
import type { Flash, PageName, SharedProps } from './pages.ts'
import { followable, redirectOutside } from './redirects.ts'
import { renderPage } from './render.ts'
import type { Shares } from './shared.ts'
import type { Renderer } from './ssr.ts'
import { refuseOldVersion } from './version.ts'

export { type Assets, readAssets } from './assets.ts'
export { createDocument, type Document, type DocumentOptions, type Rendered } from './document.ts'
export type { FlashState, FlashStore } from './flash-store.ts'
export { appendVary } from './headers.ts'
export type { Errors, Flash, Page, PageName, PageProps, Pages, SharedProps } from './pages.ts'
export { always, deepMerge, defer, merge, once, optional, prepend, scroll } from './props.ts'
export { createRenderer, type Renderer, type RendererOptions } from './ssr.ts'
export { heldKeys, isPrefetch } from './visit.ts'

export interface InertiaOptions {
  /**
   * The public origin, such as `https://app.example.com`. URLs are built from it and never from the Host header, which
   * clients control.
   */
  origin: string
  /** Identifies the current assets. A client with other assets has to reload the document. */
  version: string | (() => string)
  encryptHistory: boolean
  flashStore: FlashStore
  document: Document
  /** Without one, the client renders. The caller closes it. */
  renderer?: Renderer | undefined
  /** What the renderer must know of a request besides the page, such as its language. */
  contextOf?: (request: FastifyRequest) => object
  /** Whether the client's document cannot show a page of this request, and must be loaded again. */
  isOutdated?: (request: FastifyRequest) => boolean
}

export default plugin<InertiaOptions>(
  async (app, { origin, version, ...options }) => {
    const site = new URL(origin).origin
    const shares: Shares = new Map()
    const currentVersion = typeof version === 'function' ? version : () => version
    const rendering = { ...options, site, version: currentVersion, shares }

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
    app.decorateReply('page', function (component, props) {
      return renderPage(rendering, this, component, props)
    })
    app.decorateReply('pageFlash', null)
    app.decorateReply('flashNow', function (flash) {
      this.pageFlash = { ...this.pageFlash, ...flash }
      return this
    })
    app.decorateReply('external', function (url) {
      return redirectOutside(this, url)
    })
    app.addHook('onRequest', refuseOldVersion(site, currentVersion))
    app.addHook('onSend', followable(site))
  },
  { name: 'inertia' },
)

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Registers a prop for every page. The function runs for each page, so slow work belongs in a closure or kind that
     * it returns.
     */
    share<Name extends SharedName, Prop>(
      name: Name,
      prop: (request: FastifyRequest) => Shared<Prop, Name> | Promise<Shared<Prop, Name>>,
    ): this
  }
  interface FastifyRequest {
    /** Whether the request is an Inertia visit rather than a full page load. */
    readonly inertia: boolean
  }
  interface FastifyReply {
    page<Name extends PageName, Props extends object>(
      name: Name,
      props: Props & Given<Wanted<Name>> & Exact<Props, Wanted<Name>>,
    ): FastifyReply | Promise<FastifyReply>
    /** Adds to the flash of the page that is sent now, if that page delivers the stored flash. */
    flashNow(flash: Flash): this
    pageFlash: Flash | null
    /** Redirects out of the app: to another site or to a file. */
    external(url: string): FastifyReply
  }
}

type Shared<Prop, Name extends SharedName> = Prop & Sharing<Name> & Exact<Prop, SharedProps[Name]>
