import { renderSVG } from 'uqr'
import { uriOf } from './codes.ts'

export type SecondFactorProps = ReturnType<typeof presentSecondFactor>
export const presentSecondFactor = ({ enabledAt, codesLeft }: { enabledAt: Date; codesLeft: number }) => ({
  enabled_at: enabledAt.toISOString(),
  recovery_codes_left: codesLeft,
})

export type SetupProps = ReturnType<typeof presentSetup>
export function presentSetup(secret: string, names: { issuer: string; label: string }) {
  const uri = uriOf(secret, names)
  return { secret, uri, qr: renderSVG(uri, { border: 2 }) }
}

/** Members who have neither an authenticator app nor a passkey: how many of how many, and up to ten names. */
export type WithoutFactor = { members: number; lacking: number; names: string[] }

declare module '../auth/props.ts' {
  interface SecondStepNames {
    code: true
  }
}

declare module '../../plugins/inertia/pages.ts' {
  interface PageParts {
    'second-factor': {
      /** If the session began with a recovery code. */
      'accounts/show': { recovery_codes_left?: number }
      'settings/security': {
        second_factor: SecondFactorProps | null
        trusted_browsers: number
        /** Workspaces that stay closed to this person until they set up a second factor. */
        required_by: { name: string; slug: string }[]
      }
      /** For owners, the latter on request. */
      'accounts/settings': { require_second_factor?: boolean; without_factor?: WithoutFactor }
    }
  }
  interface Flash {
    setup?: SetupProps
    recovery_codes?: string[]
  }
}
