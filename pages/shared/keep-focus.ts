import { focusHeading } from './focus.ts'

type Place = { element: HTMLElement; ancestors: Element[] }

const maxPlaces = 8
const patienceMs = 100 // in which whoever removes something may move the focus itself

// Where the focus has been, the latest first. What a dialog or a removed row held leads back to what was before it.
let places: Place[] = []
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Moves the focus on when its element is removed or hidden, which leaves it on the body: people at a keyboard would
 * begin again at the top of the page, and screen readers would say nothing.
 */
export function keepFocus() {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === document.body) return
    const ancestors: Element[] = []
    for (let above = target.parentElement; above && above !== document.body; above = above.parentElement)
      ancestors.push(above)
    places = [{ element: target, ancestors }, ...places.filter(({ element }) => element !== target)].slice(0, maxPlaces)
  })
  // Whoever presses on nothing takes the focus away on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (!(target as Element).closest('a, button, input, select, textarea, label, summary, [tabindex]')) places = []
  })
  new MutationObserver(plan).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['hidden', 'data-hidden', 'disabled'],
  })
}

const isLost = () => document.activeElement === document.body && places[0] !== undefined && !isUsable(places[0].element)

function plan() {
  if (timer !== undefined || !isLost()) return
  timer = setTimeout(() => {
    timer = undefined
    if (isLost()) recover()
  }, patienceMs)
}

function recover() {
  for (const { element, ancestors } of places) {
    if (isUsable(element)) return element.focus({ preventScroll: true })
    const part = ancestors.find((above) => isUsable(above) && above.matches('main *'))
    const heading = part?.closest('section, .card, [role="tabpanel"]')?.querySelector<HTMLElement>('h2, h3')
    if (heading) return focusPart(heading)
  }
  focusHeading()
}

function focusPart(heading: HTMLElement) {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

// Safari knows whether something is visible since 17.4.
const isVisible = (element: Element) => element.checkVisibility?.() ?? element.getClientRects().length > 0
const isUsable = (element: Element) => element.isConnected && isVisible(element) && !element.matches(':disabled')
