/** The message says what is wrong with an address, and never contains its value. */
export class UnreadableAddress extends Error {}

export function refuse(message: string): never {
  throw new UnreadableAddress(message)
}
