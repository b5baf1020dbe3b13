import type { LookupAddress } from 'node:dns'
import { lookup as lookupInThread } from 'node:dns/promises'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startDns } from '../../../development/dns/index.ts'
import { guardedFetch } from '../../../plugins/http/guarded-fetch.ts'
import { createLookup } from '../../../plugins/http/lookup.ts'
import { serve } from '../../helpers/issuer.ts'
import { startStopwatch } from '../../helpers/proxy.ts'

/** A DNS server that knows three names, and the questions that it got. */
async function startServer(t: Test) {
  const questions: string[] = []
  const { server, stop } = await startDns((name) => {
    questions.push(name)
    if (name.startsWith('silent')) return 'silence'
    if (name === 'here.test') return { addresses: ['127.0.0.1'] }
    if (name === 'many.test') return { addresses: Array.from({ length: 30 }, (_, n) => `192.0.2.${n}`) }
    return { code: 3 }
  })
  t.teardown(stop)
  const lookup = createLookup([server])
  const addressesOf = (name: string) =>
    new Promise<string[]>((resolve, reject) =>
      lookup(name, { all: true }, (error, addresses) =>
        error ? reject(error) : resolve((addresses as LookupAddress[]).map(({ address }) => address)),
      ),
    )
  return { lookup, addressesOf, questions }
}

t.test('a name leads to what /etc/hosts or DNS says of it', async (t) => {
  const { addressesOf, questions } = await startServer(t)
  t.ok((await addressesOf('localhost')).includes('127.0.0.1'))
  t.same(await addressesOf('acme.localhost'), ['127.0.0.1', '::1'])
  t.same(questions, [], 'without a question')
  t.same(await addressesOf('Here.test.'), ['127.0.0.1'])
  t.equal((await addressesOf('many.test')).length, 8)
  await t.rejects(addressesOf('nobody.test'), { code: 'ENOTFOUND' })
})

t.test('names that nobody answers take two seconds, and no thread from anybody else', async (t) => {
  const { addressesOf } = await startServer(t)
  const began = performance.now()
  const seconds = startStopwatch(t)
  const looks = Array.from({ length: 40 }, (_, n) => t.rejects(addressesOf(`silent-${n}.test`), { code: 'ECANCELLED' }))
  await lookupInThread('localhost')
  t.ok(seconds() < 1.5, 'others are answered meanwhile')
  await Promise.all(looks)
  t.ok(performance.now() - began >= 1_900)
  t.ok(seconds() < 4)
})

t.test('a look ends with the request for which it was made', async (t) => {
  const { lookup, questions } = await startServer(t)
  const controller = new AbortController()
  const fetched = guardedFetch({ lookup })('https://silent.test/', { signal: controller.signal })
  while (questions.length < 2) await wait(5) // both families
  controller.abort()
  await t.rejects(fetched, { name: 'AbortError' })
  await wait(1_200) // in which DNS would be asked again
  t.same(questions, ['silent.test', 'silent.test'])
})

t.test('names of this machine work where it may be reached', async (t) => {
  const { lookup } = await startServer(t)
  const at = await serve(t, (_request, response) => response.end('here'))
  const { port } = new URL(at)
  const response = await guardedFetch({ lookup, allowPrivate: true })(`http://localhost:${port}/`)
  t.equal(await response.text(), 'here')
  await t.rejects(guardedFetch({ lookup })(`https://here.test:${port}/`), { cause: /private/ })
})
