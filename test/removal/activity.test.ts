import { testRemoval } from '../helpers/removal.ts'

testRemoval('activity', ['accounts/accounts', 'settings/export'])
