const channelName = 'sso-tried'

/** Tells the page that opened the window. It has no other way to: the provider's policy may part the windows. */
export function tellTried() {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Calls back once it worked in another window. Returns what ends that. */
export function onTried(listener: () => void) {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
