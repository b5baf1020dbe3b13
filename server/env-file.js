// Preloaded by the commands of package.json, which Node's own flag would greet with a line where there is no file. What
// is set already stays.
try {
  process.loadEnvFile('.env')
} catch (error) {
  if (error.code !== 'ENOENT') throw error
}
