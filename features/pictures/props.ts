declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    /** One's own picture. Only on signed-in pages, and once until it changes. */
    picture?: string | null
  }
}

export {}
