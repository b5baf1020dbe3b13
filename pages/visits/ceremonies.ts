/** Whether the person, or another attempt, cancelled the browser's passkey dialog. */
export const isCancelled = (error: unknown) => error instanceof Error && /^(NotAllowed|Abort)Error$/.test(error.name)
