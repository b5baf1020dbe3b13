import { createContext, use } from 'react'

/** The application's name, as configured. */
export const AppName = createContext('')

export function Brand() {
  return (
    <span className="brand">
      <Mark />
      <span className="brand-name">{use(AppName)}</span>
    </span>
  )
}

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path className="mark-wall" d="M3 29V15a13 13 0 0 1 26 0v14z" />
      <path className="mark-room" d="M9 29V16a7 7 0 0 1 14 0v13z" />
      <path className="mark-light" d="M13 29V17a3 3 0 0 1 6 0v12z" />
    </svg>
  )
}
