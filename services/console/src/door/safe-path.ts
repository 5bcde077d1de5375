const ownPath = /^\/(?![/\\])[^\\\p{Cc}]*$/u

/** Where to go next, if it is a path of the console itself; else `fallback`. No scheme, host, backslash or control character gets by. */
export function safePath(next: string | null | undefined, fallback = '/'): string {
  if (!next || next.length > 2_000 || !ownPath.test(next)) return fallback
  const base = 'https://console.invalid'
  const url = URL.parse(next, base)
  const path = url?.origin === base ? `${url.pathname}${url.search}${url.hash}` : fallback
  // Dots that were resolved may leave two slashes in front, which a browser takes for a host.
  return ownPath.test(path) ? path : fallback
}
