/** How many people join with one invitation link. */
export const maxLinkUses = 100
