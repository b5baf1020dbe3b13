const radii = [280, 236, 192, 148, 104, 60]

export function Arches() {
  return (
    <svg className="arches" viewBox="0 0 560 640" preserveAspectRatio="xMidYMax meet" aria-hidden="true">
      {radii.map((radius) => {
        const top = (280 - radius) * 0.75 + radius
        return <path key={radius} d={`M${280 - radius} 640V${top}a${radius} ${radius} 0 0 1 ${2 * radius} 0V640`} />
      })}
    </svg>
  )
}
