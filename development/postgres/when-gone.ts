import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Runs a script once this process is gone, however it ended: a shell, in a session of its own, waits for the end of a
 * pipe that nobody else holds. No pid is remembered, which could belong to another process by then. Returns a function
 * that calls it off.
 */
export function whenGone(script: string, ...args: string[]) {
  if (process.platform === 'win32') return () => {} // it has no such shell
  const wait = ['-c', 'read -r _ || exec "$0" "$@"', process.execPath, script, ...args]
  const child = spawn('/bin/sh', wait, { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  ;(child.stdin as Socket).unref()
  return () => child.stdin.end('\n')
}
