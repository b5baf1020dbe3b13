// What asks for passkeys is loaded at once, with the library, when it is wanted.
export { startCeremonies } from './ceremonies.ts'
export { answerChallenge, cancel } from './challenge.ts'
