import { testRemoval } from '../helpers/removal.ts'

testRemoval('second-factor', ['auth/sign-in', 'passkeys/sign-in'])
