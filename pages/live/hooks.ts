import { useEffect, useEffectEvent, useState } from 'react'
import type { AccountMessageType } from '../../features/accounts/props.ts'
import { accountChannelName, type Path, paths } from '../../features/paths.ts'
import { type Listener, listen, type Message, type Present } from './connection.ts'
import { reload } from './reload.ts'
import { send, tabId } from './tab.ts'

const heartbeat = 15_000 // milliseconds

export const accountChannel = (slug: string) => JSON.stringify({ account: slug, channel: accountChannelName })

/**
 * Calls the listener for messages of a channel while the component is mounted, except for those that this tab caused.
 */
export function useChannel(identifier: string | undefined, listener: Omit<Listener, 'onPresence' | 'onRelease'>) {
  const onMessage = useEffectEvent((message: Message, cause: string | null) => {
    if (cause !== tabId) listener.onMessage?.(message, cause)
  })
  const onOpen = useEffectEvent((missed: boolean) => listener.onOpen?.(missed))
  const onRejected = useEffectEvent(() => listener.onRejected?.())

  useEffect(() => {
    if (identifier) return listen(identifier, { onMessage, onOpen, onRejected })
  }, [identifier])
}

/**
 * Reloads props by the type of a message, such as `{ members: ['members', 'invitations'] }`, and all of them if
 * messages may have been missed.
 */
export function useLiveReload(
  identifier: string | undefined,
  propsByType: { [Type in AccountMessageType]?: string[] },
) {
  const propsOf: Record<string, string[]> = propsByType
  useChannel(identifier, {
    onMessage: ({ type = '' }) => reload(propsOf[type] ?? []),
    onOpen: (missed) => missed && reload(Object.values(propsOf).flat()),
  })
}

export function usePresent(identifier: string) {
  const [present, setPresent] = useState<Present[]>([])

  useEffect(() => {
    const close = listen(identifier, { onPresence: setPresent })
    return () => {
      close()
      setPresent([])
    }
  }, [identifier])

  return present
}

export function usePresence(identifier: string | undefined) {
  useEffect(() => {
    if (!identifier) return
    let timer: ReturnType<typeof setInterval> | undefined
    let sent: Promise<unknown> = Promise.resolve()
    const place = { identifier, tab_id: tabId }
    // In sequence: if a heartbeat arrived after the goodbye, the person would stay visible for half a minute.
    const post = (path: Path) => {
      sent = sent.then(() => send(path, place)).catch(() => {})
    }
    const sendHeartbeat = () => post(paths.announcePresence())
    const start = () => {
      clearInterval(timer)
      timer = setInterval(sendHeartbeat, heartbeat)
      sendHeartbeat()
    }
    const stop = () => {
      clearInterval(timer)
      timer = undefined
    }
    const leave = () => {
      if (timer !== undefined) post(paths.endPresence())
      stop()
    }
    const close = listen(identifier, { onOpen: start, onRelease: leave, onRejected: stop })
    return () => {
      leave()
      close()
    }
  }, [identifier])
}
