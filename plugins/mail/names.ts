const longest = 60

// What mail programs make a link of; 。 and its like are dots to a browser.
const addressLike = /:\/\/|www[.。．｡]|@|[\p{L}\p{M}\p{N}][.。．｡]\p{L}/iu

/**
 * A name as a mail to somebody else may show it: else whoever picks a name could have us send what they like to whom they like. Undefined when it looks like
 * an address.
 */
export function nameForOthers(name: string) {
  const read = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return addressLike.test(read) ? undefined : [...name].slice(0, longest).join('')
}
