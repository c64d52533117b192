const units = [7 * 24 * 3600, 24 * 3600, 3600, 60, 1]

/** Milliseconds of an ISO 8601 duration without years, months and parts of a millisecond (`PT10M`, `P7D`, `PT0.5S`). */
export const parseDuration = (text: string): number | undefined => {
  const match =
    /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/.exec(text)
  if (match === null || text === 'P' || text.endsWith('T')) return undefined
  return Math.round(
    match.slice(1).reduce((sum, part, at) => sum + Number(part ?? 0) * units[at]!, 0) * 1000,
  )
}
