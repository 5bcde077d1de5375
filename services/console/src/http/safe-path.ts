const ownPath = /^\/(?![/\\])[^\\\p{Cc}]*$/u

/**
 * Returns `next` if it is a path of the console, else `fallback`. Rejects schemes, hosts, backslashes and control
 * characters.
 */
export function safePath(next: string | null | undefined, fallback = '/'): string {
  if (!next || next.length > 2_000 || !ownPath.test(next)) return fallback
  const base = 'https://console.invalid'
  const url = URL.parse(next, base)
  const path = url?.origin === base ? `${url.pathname}${url.search}${url.hash}` : fallback
  // Resolving dot segments can leave two leading slashes, which a browser reads as a host.
  return ownPath.test(path) ? path : fallback
}
