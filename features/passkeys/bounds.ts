export const maxPasskeys = 20
export const maxPasskeyNameLength = 60
