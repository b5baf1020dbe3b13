import { writeFileSync } from 'node:fs'
import { derived } from './derived.ts'

// `npm run brand`: writes what is made from brand/ and cannot import it.

for (const [file, content] of Object.entries(await derived())) {
  writeFileSync(new URL(`../../${file}`, import.meta.url), content)
  console.log(file)
}
