// How much people may have and type, for the server and for pages, which import nothing else of it but paths and roles.

export const minPasswordLength = 12
export const maxAccountNameLength = 60
