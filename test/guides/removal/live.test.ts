import { testRemoval } from '../removal.ts'

testRemoval('live', ['accounts/members', 'settings/user-deletion'])
