import { readFileSync } from 'node:fs'

export type Tls = 'require' | 'allow' | 'prefer' | false | { ca?: Buffer; rejectUnauthorized: true; checkServerIdentity?: () => undefined }

/**
 * Takes `sslmode` and `sslrootcert` out of a URL, with the meaning that libpq gives them: `verify-full` checks the server's certificate and
 * its name, `verify-ca` the certificate alone, `require` neither unless an authority is named.
 */
export function takeTls(url: string): { url: string; ssl?: Tls } {
  const parsed = new URL(url)
  const mode = parsed.searchParams.get('sslmode')
  const root = parsed.searchParams.get('sslrootcert')
  if (mode === null && root === null) return { url }
  parsed.searchParams.delete('sslmode')
  parsed.searchParams.delete('sslrootcert')
  return { url: parsed.href, ssl: tlsOf(mode, root) }
}

function tlsOf(mode: string | null, root: string | null): Tls {
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return mode
  if (mode === 'require' && root === null) return mode
  if (mode !== null && !['require', 'verify-ca', 'verify-full'].includes(mode)) throw new Error(`sslmode ${mode} is not known`)
  // `system` is libpq's word for the authorities that are trusted anyway.
  const ca = root !== null && root !== 'system' ? { ca: readFileSync(root) } : {}
  const named = mode === null || mode === 'verify-full' || root === 'system'
  return { rejectUnauthorized: true, ...ca, ...(!named && { checkServerIdentity: () => undefined }) }
}
