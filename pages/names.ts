/**
 * Pages by the names that the server gives them: the path of `settings/profile.page.tsx`, or of what lies in an option's
 * room, such as `single-sign-on/auth/sso.guest.page.tsx`, the path in that room.
 */
export function byName<Page>(files: Record<string, Page>): Record<string, Page> {
  const entries = Object.entries(files).flatMap(([file, page]): [string, Page][] => {
    const path = file.replace(/^\.\//, '').replace(/(\.(guest|rare))?\.page\.tsx$/, '')
    const [, inRoom = ''] = /^[^/]+\/(.+\/.+)$/.exec(path) ?? []
    return inRoom
      ? [
          [inRoom, page],
          [path, page],
        ]
      : [[path, page]]
  })
  return Object.fromEntries(entries)
}
