declare module '../accounts/props.ts' {
  interface FirstSteps {
    passkey: true
  }
}

declare module '../../plugins/inertia/pages.ts' {
  interface PageParts {
    passkeys: { 'accounts/show': { offer_passkey: boolean } }
  }
  interface SharedProps {
    /** On pages that ask for the current password, for people who have one. */
    has_passkey?: true
  }
}

export {}
