const radii = [280, 236, 192, 148, 104, 60]

/** The mark, as large as a wall: doors behind doors, with a light in the last one. */
export function Arches() {
  return (
    <svg className="arches" viewBox="0 0 600 720" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      {radii.map((radius) => (
        <path
          key={radius}
          d={`M${300 - radius} 720V${300 + (280 - radius) * 0.75}a${radius} ${radius} 0 0 1 ${2 * radius} 0V720z`}
        />
      ))}
    </svg>
  )
}
