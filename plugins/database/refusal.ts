/** Its message names what is wrong with an address, and never a value. */
export class UnreadableAddress extends Error {}

export function refuse(message: string): never {
  throw new UnreadableAddress(message)
}
