const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const named = (table: [RegExp, string][], text: string): string | undefined => table.find(([form]) => form.test(text))?.[1]

/** `Firefox on Linux`, as far as the user agent says. */
export function deviceName(userAgent: string | null): string {
  const [browser, system] = [named(browsers, userAgent ?? ''), named(systems, userAgent ?? '')]
  if (!browser && !system) return 'A browser'
  return [browser ?? 'A browser', system && `on ${system}`].filter(Boolean).join(' ')
}
