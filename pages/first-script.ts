// Runs in the head of every document, before the first paint and before any bundle. It imports and exports nothing,
// because pages/document.ts inlines it.

/** What it says to people, in their language. */
declare const texts: { starting: string; incomplete: string; reload: string }

declare global {
  interface Window {
    /** Says that the document cannot be shown. */
    showIncomplete(): void
    /** Whether React handles clicks yet. */
    isStarted?: true
    /** From now on it does, beginning with what was pressed before. */
    start(): void
  }
}

reloadWhenGoingBack()
showWhenWhole()
applyTheme()
watchAssets()
keepEarlyClicks()
localizeTimes()

/**
 * A document that the browser kept may be from before a deployment, or private although nobody is signed in any more.
 * So when someone goes back to it, it stays blank until the server has sent it anew.
 */
function reloadWhenGoingBack() {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'back_forward' || visit.transferSize > 0) return
  document.documentElement.hidden = true
  location.reload()
}

/**
 * What is painted while the rest of the document is still to come would move when it does. Of one whose connection breaks
 * no browser says that it is over, so what is there is shown after ten seconds.
 */
function showWhenWhole() {
  const { dataset } = document.documentElement
  const show = () => delete dataset.arriving
  dataset.arriving = ''
  document.addEventListener('readystatechange', show, { once: true })
  setTimeout(show, 10_000)
}

function applyTheme() {
  try {
    const theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {} // the browser allows no storage
}

/**
 * If a bundle fails to load, the page does nothing. During a deployment the next document may name files that are
 * there, so this reloads the page, at most once a minute. Otherwise it says so and offers a reload.
 */
function watchAssets() {
  let isReloading = false

  window.showIncomplete = () => {
    isReloading ||= reloadOnce()
    if (isReloading) return
    if (document.body) show()
    else addEventListener('DOMContentLoaded', show)
  }

  function show() {
    if (document.getElementById('unloaded')) return
    const message = document.createElement('div')
    message.id = 'unloaded'
    message.className = 'unloaded'
    message.setAttribute('role', 'alert')
    message.textContent = `${texts.incomplete} `
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = texts.reload
    button.onclick = () => location.reload()
    message.append(button)
    document.body.prepend(message)
  }

  const onError = ({ target }: Event) => {
    if (isAsset(target)) window.showIncomplete()
  }
  addEventListener('error', onError, true)
}

/** Returns whether the page is about to reload. */
function reloadOnce() {
  const pauseMs = 60_000
  try {
    const reloadedAt = Number(sessionStorage.reloadedAt ?? 0)
    if (!navigator.onLine || Date.now() - reloadedAt <= pauseMs) return false
    sessionStorage.reloadedAt = Date.now()
  } catch {
    return false // without storage, the page might reload for ever
  }
  location.reload()
  return true
}

function isAsset(target: EventTarget | null) {
  const url = target instanceof HTMLScriptElement ? target.src : stylesheetOf(target)
  return url.startsWith(`${location.origin}/assets/`)
}

function stylesheetOf(target: EventTarget | null) {
  return target instanceof HTMLLinkElement && target.rel === 'stylesheet' ? target.href : ''
}

/**
 * Until the bundle has started, a form would be sent without its CSRF token, and a button does nothing. So the latest
 * press is kept and done then, which is said above the page so that nothing moves.
 */
function keepEarlyClicks() {
  let kept: (() => void) | undefined
  const message = document.createElement('p')
  message.className = 'starting'
  message.setAttribute('role', 'status')
  message.textContent = texts.starting

  const onEarly = (event: Event) => {
    if (window.isStarted || !needsBundle(event)) return
    event.preventDefault()
    const { target } = event
    const { submitter } = event as SubmitEvent
    kept = () => {
      if (target instanceof HTMLFormElement) target.requestSubmit(submitter?.isConnected ? submitter : null)
      else (target as HTMLElement).click()
    }
    document.body.append(message)
  }
  addEventListener('submit', onEarly, true)
  addEventListener('click', onEarly, true)

  window.start = () => {
    window.isStarted = true
    message.remove()
    kept?.()
  }
}

/** A click on a submit button is followed by the form's own event. A form that only asks works without the bundle. */
function needsBundle({ type, target }: Event) {
  const control = (target as Element).closest<HTMLElement>('button[type],form')
  if (control instanceof HTMLFormElement) return type !== 'click' && control.method !== 'get'
  return control instanceof HTMLButtonElement && control.type !== 'submit'
}

/**
 * The server knows neither the reader's zone nor the region. Times that the bundle put right after the first paint
 * would move what stands beside them. The locale is that of pages/words/locale.ts.
 */
function localizeTimes() {
  const { lang } = document.documentElement
  const spoken = new Intl.Locale(navigator.language)
  const { region } = spoken.maximize()
  const locale = spoken.language === lang ? navigator.language : region && lang === 'en' ? `en-${region}` : lang
  const formats: Record<string, Intl.DateTimeFormat> = {}

  const arrivals = new MutationObserver(() => {
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-format]')) {
      const { format = '' } = time.dataset
      formats[format] ??= new Intl.DateTimeFormat(locale, { numberingSystem: 'latn', ...JSON.parse(format) })
      time.textContent = formats[format].format(new Date(time.dateTime))
    }
    arrivals.takeRecords() // its own
  })
  arrivals.observe(document, { childList: true, subtree: true })
  addEventListener('DOMContentLoaded', () => arrivals.disconnect())
}
