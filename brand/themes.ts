import { colours } from './brand.ts'

type Colour = keyof typeof colours

const shades = (theme: 0 | 1) =>
  Object.fromEntries(Object.entries(colours).map(([name, shades]) => [name, shades[theme]])) as Record<Colour, string>

export const day = shades(0)
export const night = shades(1)

/** For style sheets whose colour scheme decides between day and night. */
export const customProperties = Object.entries(colours)
  .map(([name, [day, night]]) => `  --${name}: light-dark(${day}, ${night});`)
  .join('\n')
