import { get, post } from '../paths.ts'

export const mailCodesPaths = {
  requestMailCode: () => post('/sign_in/code'),
  mailCode: () => get('/sign_in/code'),
  verifyMailCode: () => post('/sign_in/code/verify'),
}
