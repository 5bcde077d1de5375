import type { WireAnswer } from '../people/wire'

const wanted: Record<string, RegExp> = {
  'content-security-policy':
    /^default-src 'none'; script-src 'self'; style-src 'self';(?!.*unsafe)(?!.*\*).* base-uri 'none';.*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
  'cache-control': /^no-store$/,
}

/** What is missing of the headers that keep a page from being framed, sniffed, kept or scripted by others. */
export function headerFaults(path: string, { headers }: WireAnswer): string[] {
  const missing = Object.entries(wanted).filter(([name, value]) => !value.test(headers.get(name) ?? ''))
  const shared = headers.has('access-control-allow-origin') ? ['it may be read by other sites'] : []
  const bare = headers.getSetCookie().filter(line => !isHeld(line))
  return [
    ...missing.map(([name]) => `${path}: ${name} is “${headers.get(name)}”`),
    ...shared,
    ...bare.map(line => `a cookie for scripts or other sites’ forms: ${line}`),
  ]
}

const isHeld = (line: string): boolean =>
  /;\s*httponly\b/i.test(line) && /;\s*samesite=(lax|strict)\b/i.test(line) && /;\s*path=\/(;|$)/i.test(line) && !/;\s*domain=/i.test(line)

/** What the policy for contents would have to refuse; it is the second line, not the first. */
export function markupFaults({ text, headers }: WireAnswer): string[] {
  if (!(headers.get('content-type') ?? '').startsWith('text/html')) return []
  return [...text.matchAll(/<([a-z][a-z0-9]*)\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi)].flatMap(([tag, name = '', rest = '']) => {
    const attributes = new Map(
      [...rest.matchAll(/([^\s"'=<>/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?/g)].map(([, key = '', value = '']) => [
        key.toLowerCase(),
        bare(value),
      ]),
    )
    return faultsOf(name.toLowerCase(), attributes).map(fault => `${fault}: ${tag.slice(0, 160)}`)
  })
}

const bare = (value: string): string => value.replace(/^["']|["']$/g, '')

function faultsOf(tag: string, attributes: Map<string, string>): string[] {
  const loaded = ['script', 'link', 'iframe', 'object', 'embed'].includes(tag)
    ? (attributes.get('src') ?? attributes.get('href') ?? attributes.get('data'))
    : undefined
  const isOwnScript = tag === 'script' && loaded === undefined && attributes.get('type') !== 'application/json'
  return [
    ...(isOwnScript ? ['a script of the page’s own'] : []),
    ...(tag === 'style' || attributes.has('style') ? ['a style of the page’s own'] : []),
    ...([...attributes.keys()].some(name => /^on[a-z]+$/.test(name)) ? ['a handler in an attribute'] : []),
    ...(['href', 'src', 'action', 'formaction'].some(name => /^\s*(javascript|vbscript|data:text)/i.test(attributes.get(name) ?? ''))
      ? ['an address that is a script']
      : []),
    ...(loaded !== undefined && /^(https?:)?\/\//i.test(loaded) ? ['something loaded from elsewhere'] : []),
  ]
}
