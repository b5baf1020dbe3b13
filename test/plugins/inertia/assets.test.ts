import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readAssets } from '../../../plugins/inertia/index.ts'

const manifest = {
  'pages/main.tsx': {
    file: 'main-1.js',
    imports: ['_react.js'],
    dynamicImports: ['pages/signed-in.ts'],
    css: ['main-1.css'],
  },
  'pages/signed-in.ts': { file: 'signed-in-1.js', imports: ['_form.js', 'pages/main.tsx'], css: ['signed-in-1.css'] },
  '_react.js': { file: 'react-1.js' },
  '_form.js': { file: 'form-1.js', imports: ['_react.js', '_loop.js'] },
  '_loop.js': { file: 'loop-1.js', imports: ['_form.js'] },
  'sans-latin.woff2': { file: 'latin-1.woff2', src: 'sans-latin.woff2' },
  'sans-latin-ext-1.woff2': { file: 'ext-1.woff2', src: 'sans-latin-ext-1.woff2' },
  'sans-greek-1.woff2': { file: 'greek-1.woff2', src: 'sans-greek-1.woff2' },
}

const build = (t: { testdir(): string }, content: object) => {
  const folder = t.testdir()
  mkdirSync(join(folder, '.vite'))
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(content))
  return readAssets({ folder, entry: 'pages/main.tsx', prefix: '/assets/' })
}

const preload = (file: string) => `<link rel="modulepreload" fetchpriority="low" href="/assets/${file}">`
const style = (file: string) => `<link rel="stylesheet" href="/assets/${file}">`
const entry = '<script type="module" fetchpriority="low" src="/assets/main-1.js"></script>'

t.test('a document loads the entry, and in parallel what it will import, but nothing else', async (t) => {
  const { link, tags } = build(t, manifest)
  const font = (name: string) => `</assets/${name}-1.woff2>; rel=preload; as=font; type="font/woff2"; crossorigin`
  t.equal(link('en'), font('latin'))
  t.equal(link('el'), `${font('latin')}, ${font('greek')}`, 'with the typeface of the script')
  t.equal(tags([]), [preload('react-1.js'), entry, style('main-1.css')].join('\n'))
  const preloads = ['react-1.js', 'signed-in-1.js', 'form-1.js', 'loop-1.js'].map(preload)
  const styles = ['main-1.css', 'signed-in-1.css'].map(style)
  t.equal(tags(['pages/signed-in.ts', 'languages/unknown.ts']), [...preloads, entry, ...styles].join('\n'))
})

t.test('one stylesheet for all pages is found where such a build names it', async (t) => {
  const { tags } = build(t, { 'pages/main.tsx': { file: 'main-1.js' }, 'style.css': { file: 'style-1.css' } })
  t.equal(tags([]), [entry, style('style-1.css')].join('\n'))
})

t.test('the version follows the content of the build', async (t) => {
  const version = build(t, manifest).version
  t.match(version, /^[\w-]{16}$/)
  t.equal(build(t, manifest).version, version)
  t.not(build(t, { ...manifest, '_new.js': { file: 'new-1.js' } }).version, version)
})

t.test('a missing build is an error, and so is one of another project', async (t) => {
  t.throws(() => build(t, { 'other.ts': { file: 'other-1.js' } }), /has no entry pages\/main.tsx$/)
  t.throws(() => readAssets({ folder: t.testdir(), entry: 'pages/main.tsx', prefix: '/' }), { code: 'ENOENT' })
})
