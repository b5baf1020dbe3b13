// For the server and the pages.

export const maxProjects = 500 // of an account
export const maxNameLength = 60
