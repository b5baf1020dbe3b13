import { router } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import { storeOf } from '../hooks/store.ts'
import { whenSettled } from '../visits/own-visits.ts'
import { reload } from './reload.ts'

export type Present = { user_id: number; name: string; picture: string | null; state: unknown }

export type Message = { type?: string; user_id?: number; by?: string; by_token?: boolean }

export interface Listener {
  /** The stream is open. `missed`: messages may have been lost before. */
  onOpen?(missed: boolean): void
  /** The stream has been closed for a while. */
  onRelease?(): void
  onMessage?(message: Message, tabId: string | null): void
  onPresence?(present: Present[]): void
  onRejected?(): void
}

const hiddenMs = 60_000
const maxPauseMs = 20_000
const unnoticedMs = 2_000 // shorter interruptions are not reported
const silentMs = 40_000 // in which a stream that is alive says something twice
const openingMs = 10_000 // in which one opens, unless the browser gave it another dead connection
const watchMs = 5_000
const lateMs = 1_000 // after the page, within which hardly anything happens

const listeners = new Map<string, Set<Listener>>()
const presentIn = new Map<string, Present[]>()

let isLost = false
let losing: ReturnType<typeof setTimeout> | undefined
const loss = storeOf(() => isLost, false)

export const useStreamLost = () => loss.use()

function setConnectionLost(lost: boolean) {
  clearTimeout(losing)
  losing = undefined
  isLost = lost
  loss.changed()
}

// When the newest page arrived, in milliseconds since the document was asked for.
let arrivedAt = 0
router.on('success', () => {
  arrivedAt = performance.now()
})

let source: EventSource | undefined
// Streams of earlier subscriptions. They stay open until the next one is, so no message is lost in between.
const former = new Set<EventSource>()
let subscribed = ''
let isOpen = false
// By the clock, since other time may stand still while the machine sleeps.
let heardAt = 0
let missed = false
let pauseMs = 1_000
let timer: ReturnType<typeof setTimeout> | undefined
let hiding: ReturnType<typeof setTimeout> | undefined
let watching: ReturnType<typeof setInterval> | undefined

/** Listens to a channel through the document's only stream. Returns a function that stops. */
export function listen(identifier: string, listener: Listener) {
  if (listeners.size === 0) watch()
  const others = listeners.get(identifier) ?? new Set()
  listeners.set(identifier, others.add(listener))
  const present = presentIn.get(identifier)
  if (present) listener.onPresence?.(present)
  if (isOpen && subscribed === wanted()) listener.onOpen?.(false)
  plan(connect)

  return () => {
    others.delete(listener)
    if (others.size > 0) return
    listeners.delete(identifier)
    presentIn.delete(identifier)
    if (listeners.size === 0) stopWatching()
    plan(connect)
  }
}

const wanted = () => JSON.stringify([...listeners.keys()].sort())
const everyone = () => [...listeners.values()].flatMap((some) => [...some])

function plan(act: () => void, afterMs = 0) {
  clearTimeout(timer)
  timer = setTimeout(act, afterMs)
}

function connect() {
  if (listeners.size === 0) {
    setConnectionLost(false)
    return close()
  }
  if (source && subscribed === wanted()) return
  if (document.hidden && hiding === undefined) {
    missed = true
    return
  }
  const isFirst = !source
  if (source) former.add(source)
  const next = new EventSource(paths.live([...listeners.keys()].sort()).url)
  source = next
  subscribed = wanted()
  isOpen = false
  heardAt = Date.now()

  next.onopen = () => {
    if (next !== source) return
    heardAt = Date.now()
    forgetFormer()
    isOpen = true
    pauseMs = 1_000
    setConnectionLost(false)
    // On a slow device, what happened between the page and its stream.
    if (isFirst && performance.now() - arrivedAt > lateMs) {
      missed = true
      reload(['auth'])
    }
    for (const listener of everyone()) listener.onOpen?.(missed)
    missed = false
  }
  next.addEventListener('ping', () => {
    if (next === source) heardAt = Date.now()
  })
  next.onmessage = ({ data }) => {
    const frame: Frame = JSON.parse(data)
    whenSettled(() => receive(frame))
  }
  next.onerror = () => {
    if (next !== source) return
    lose()
    // All clients may have lost their streams at once, so each reconnects after a random delay. If the session has
    // ended, the reload leads to the sign-in page.
    const waitMs = pauseMs
    plan(() => reload(['auth'], () => plan(connect, waitMs)), Math.random() * waitMs)
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}

function lose() {
  missed = true
  losing ??= setTimeout(() => setConnectionLost(true), unnoticedMs)
  close()
}

/** Nothing says that a stream is dead after sleep, or in a network that drops packets. */
function renewIfSilent() {
  if (source && Date.now() - heardAt > (isOpen ? silentMs : openingMs)) renew()
}

/** Opens another stream at once. What the page shows is loaded again as it opens. */
function renew() {
  lose()
  pauseMs = 1_000
  plan(connect)
}

type Frame = { identifier: string; tab_id: string | null } & (
  | { type: 'confirm_subscription' | 'reject_subscription' }
  | { type: 'presence'; present: Present[] }
  | { type?: undefined; message: Message }
)

function receive(frame: Frame) {
  const addressees = [...(listeners.get(frame.identifier) ?? [])]
  if (frame.type === 'presence') {
    presentIn.set(frame.identifier, frame.present)
    for (const listener of addressees) listener.onPresence?.(frame.present)
  } else if (frame.type === 'reject_subscription') {
    for (const listener of addressees) listener.onRejected?.()
  } else if (frame.type === undefined) {
    for (const listener of addressees) listener.onMessage?.(frame.message, frame.tab_id)
  }
}

function forgetFormer() {
  for (const stream of former) stream.close()
  former.clear()
}

function close() {
  forgetFormer()
  source?.close()
  source = undefined
  subscribed = ''
  isOpen = false
}

// Browsers limit the connections per host, and hidden tabs would use them up.
function release() {
  clearTimeout(hiding)
  hiding = undefined
  setConnectionLost(false)
  if (!source) return
  close()
  missed = true
  for (const listener of everyone()) listener.onRelease?.()
}

function onVisibilityChange() {
  clearTimeout(hiding)
  hiding = undefined
  if (document.hidden) hiding = setTimeout(release, hiddenMs)
  else if (source) renewIfSilent()
  else plan(connect)
}

function watch() {
  watching = setInterval(renewIfSilent, watchMs)
  window.addEventListener('online', renew)
  document.addEventListener('visibilitychange', onVisibilityChange)
  window.addEventListener('pagehide', release)
  window.addEventListener('pageshow', onVisibilityChange)
}

function stopWatching() {
  clearInterval(watching)
  window.removeEventListener('online', renew)
  clearTimeout(hiding)
  hiding = undefined
  document.removeEventListener('visibilitychange', onVisibilityChange)
  window.removeEventListener('pagehide', release)
  window.removeEventListener('pageshow', onVisibilityChange)
}
