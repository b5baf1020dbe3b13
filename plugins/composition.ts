import type { FastifyInstance } from 'fastify'

// What options fill for the core: lists that are complete once the application is ready (features/README.md).

export type List<Item> = ReturnType<typeof createList<Item>>

type ListName = {
  [Name in keyof FastifyInstance]: FastifyInstance[Name] extends List<unknown> ? Name : never
}[keyof FastifyInstance]

/** Their types stand where the core asks them. */
export function defineLists(app: FastifyInstance, ...names: ListName[]) {
  for (const name of names) app.decorate<unknown>(name, createList(app, name))
}

/** A list of what options and features of a product add when they register, in that order. A late `add` throws. */
function createList<Item>(app: FastifyInstance, name: string) {
  const items: Item[] = []
  let isComplete = false
  app.addHook('onReady', async () => {
    isComplete = true
  })
  return {
    add(item: Item) {
      if (isComplete) throw new Error(`${name} is complete: add to it while plugins register`)
      items.push(item)
    },
    find: (is: (item: Item) => boolean) => items.find(is),
    some: (is: (item: Item) => boolean | undefined) => items.some(is),
    [Symbol.iterator]: () => items.values(),
  }
}

/** Where an option serves the pictures of people and accounts. Without it there are none to see. */
export const served: { picture?: (key: string) => string } = {}

export const picturePath = (key: string | null) => (key && served.picture?.(key)) || null
