declare module '../../plugins/inertia/pages.ts' {
  interface SharedProps {
    /** On pages that ask for the current password, for people who have one. */
    has_passkey?: true
  }
}

export {}
