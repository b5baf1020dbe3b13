import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { buildWhatIsStale, isBuilt } from '../../development/build.ts'
import { cloneProject } from '../helpers/clone.ts'

t.test('a start builds the pages again after a change of what they are made of, and of nothing else', async (t) => {
  await buildWhatIsStale()
  const clone = await cloneProject(t)
  const sources = ['features/accounts/rights.ts', 'plugins/languages/translate.ts', 'pages/settings/profile.page.tsx']
  const others = ['brand/typeface.css', 'brand/sign.svg', 'languages/en.ts', 'vite.config.ts', 'package-lock.json']
  for (const file of [...sources, ...others]) {
    const original = await clone.read(file)
    await clone.write(file, `${original} `)
    t.notOk(await isBuilt(clone.folder), file)
    await clone.write(file, original)
    t.ok(await isBuilt(clone.folder), file)
  }
  await clone.write('features/accounts/members.ts', '')
  t.ok(await isBuilt(clone.folder), 'what only the server reads')
  await clone.write('pages/settings/new.page.tsx', '')
  t.notOk(await isBuilt(clone.folder), 'a new page')
  await rm(join(clone.folder, 'pages/settings/new.page.tsx'))
  await rm(join(clone.folder, 'pages/app.tsx'))
  t.notOk(await isBuilt(clone.folder), 'a source is gone')
})
