// How much people may have and type, for the server and for pages, which import nothing else of it but paths and roles.

export const minPasswordLength = 12
export const maxAccountNameLength = 60
export const maxPasskeys = 20
export const maxPasskeyNameLength = 60
/** How many people join with one invitation link. */
export const maxLinkUses = 100
