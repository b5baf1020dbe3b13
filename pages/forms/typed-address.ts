/**
 * The last address typed while signed out, so it need not be typed again on the next form. Set only in browsers: on the
 * server, it would be shared between people.
 */
export const typedAddress: { current: string | undefined } = { current: undefined }
