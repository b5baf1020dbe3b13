import { enableCompileCache } from 'node:module'
import './resolution.js'

// Loaded before server.ts and the commands. Plain JavaScript, because Node's compiler for TypeScript would take 40 MB
// before the compile cache is there to replace it.

try {
  process.loadEnvFile('.env') // variables that are set already stay
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}

enableCompileCache()
