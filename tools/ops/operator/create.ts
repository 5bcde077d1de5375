import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { OpsFault } from '../fault'

type NewOperator = { name: string; role: string; actsForOthers?: boolean; file?: string }

/** By which `ops` knows the token of a person from the shared one; services take any. */
export const personalTokenPrefix = 'fg_op_'

/**
 * A token for an operator, which is shown this once, and what stands of it in the file of operators: its digest. Writes nothing unless a
 * file is named, which gets the digest alone; one that isn't there is made.
 */
export function operatorCreate({ name, role, actsForOthers, file }: NewOperator) {
  const token = `${personalTokenPrefix}${randomBytes(32).toString('base64url')}`
  const token_sha256 = createHash('sha256').update(token).digest('hex')
  const entry = { name, role, token_sha256, ...(actsForOthers && { acts_for_others: true }) }
  if (file === undefined) return { token, line: JSON.stringify(entry) }
  const kept = existsSync(file) ? listedIn(file) : []
  // A service may look at it at any moment, so it is put in place whole.
  writeFileSync(`${file}.new`, `${JSON.stringify({ operators: [...kept, entry] }, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return { token, file }
}

function listedIn(file: string): unknown[] {
  try {
    const { operators } = JSON.parse(readFileSync(file, 'utf8')) as { operators?: unknown }
    if (Array.isArray(operators)) return operators
  } catch {
    // It is no JSON: said below, as where it is JSON of another form.
  }
  throw new OpsFault(`${file} is no file of operators: {"operators": [...]}.`)
}
