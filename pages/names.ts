/** Of pages that the core keeps while an option of that name, and so every file of it, may go. */
const otherNames: Record<string, string> = { 'auth/second-step': 'auth/second-factor' }

/**
 * Pages by the names that the server gives them: the path of `settings/profile.page.tsx`, or of what lies in an
 * option's room, such as `single-sign-on/auth/sso.guest.page.tsx`, the path in that room.
 */
export function byName<Page>(files: Record<string, Page>): Record<string, Page> {
  const entries = Object.entries(files).flatMap(([file, page]): [string, Page][] => {
    const path = file.replace(/^\.\//, '').replace(/(\.(guest|rare))?\.page\.tsx$/, '')
    const [, inRoom = ''] = /^[^/]+\/(.+\/.+)$/.exec(path) ?? []
    const names = [inRoom, path, otherNames[path]].filter((name) => name)
    return names.map((name) => [String(name), page])
  })
  return Object.fromEntries(entries)
}
