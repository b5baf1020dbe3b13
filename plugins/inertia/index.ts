import plugin from 'fastify-plugin'
import type { Carrier } from './carrier.ts'
import type { Exact, Given, SharedName, Sharing, Wanted } from './contract.ts'
import type { Document } from './document.ts'
import type { Flash, PageName, SharedProps } from './pages.ts'
import { followable, redirectOutside } from './redirects.ts'
import { renderPage } from './render.ts'
import type { Shares } from './shared.ts'
import type { Renderer } from './ssr.ts'
import { refuseOldVersion } from './version.ts'

export { type Assets, readAssets } from './assets.ts'
export type { Carried, Carrier } from './carrier.ts'
export { createDocument, type Document, type DocumentOptions, type Rendered } from './document.ts'
export { appendVary } from './headers.ts'
export type { Errors, Flash, Page, PageName, PageProps, Pages, SharedProps } from './pages.ts'
export { always, deepMerge, defer, merge, once, optional, prepend, scroll } from './props.ts'
export { createRenderer, type Renderer, type RendererOptions } from './ssr.ts'
export { isPrefetch } from './visit.ts'

export interface InertiaOptions {
  /** Where the site is, such as `https://app.example.com`. Addresses come from here, never from what a request says about its host. */
  origin: string
  /** Names the state of the assets: a client that has others loads the document anew. */
  version: string | (() => string)
  encryptHistory: boolean
  carrier: Carrier
  document: Document
  /** Without one the client renders. It is closed by whoever created it. */
  renderer?: Renderer | undefined
}

export default plugin<InertiaOptions>(
  async (app, { origin, version, ...options }) => {
    const site = new URL(origin).origin
    const shares: Shares = new Map()
    const currentVersion = typeof version === 'function' ? version : () => version
    const rendering = { ...options, version: currentVersion, shares }

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
    app.decorateReply('said', null)
    app.decorateReply('say', function (flash) {
      this.said = { ...this.said, ...flash }
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
    /** Gives each page a prop. The function runs for each; what is slow belongs into a closure or a kind that it returns. */
    share<Name extends SharedName, Prop>(
      name: Name,
      prop: (request: FastifyRequest) => Shared<Prop, Name> | Promise<Shared<Prop, Name>>,
    ): this
  }
  interface FastifyRequest {
    /** Whether a client that shows pages asks, rather than a browser that loads a document. */
    readonly inertia: boolean
  }
  interface FastifyReply {
    page<Name extends PageName, Props extends object>(
      name: Name,
      props: Props & Given<Wanted<Name>> & Exact<Props, Wanted<Name>>,
    ): FastifyReply | Promise<FastifyReply>
    /** Adds to the flash of the page that is answered now, where it delivers what was carried to it. */
    say(flash: Flash): this
    said: Flash | null
    /** Leads out of the pages: to another site, or to a file. */
    external(url: string): FastifyReply
  }
}

type Shared<Prop, Name extends SharedName> = Prop & Sharing<Name> & Exact<Prop, SharedProps[Name]>
