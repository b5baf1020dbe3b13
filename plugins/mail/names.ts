const longest = 60

// What mail clients turn into links. Browsers treat 。 and the like as dots.
const addressLike = /:\/\/|www[.。．｡]|@|[\p{L}\p{M}\p{N}][.。．｡]\p{L}/iu

/**
 * A name as it may appear in a mail to someone else. Otherwise, anyone could have us send their text to anyone by
 * choosing a name. Undefined if it looks like a URL or address.
 */
export function nameForOthers(name: string) {
  const read = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return addressLike.test(read) ? undefined : [...name].slice(0, longest).join('')
}
