/** The address that a person typed last on the way in: whoever goes from one form to the other need not type it again. Only browsers write it. */
export const typedAddress: { current: string | undefined } = { current: undefined }
