import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Rule } from '../behaviour/choose'
import type { Generation, GenerationError, Status } from './generation'

/** One submit as it was received and answered, for tests that count them. */
export type Submit = { client_task_id: string; generation_id: string | null; prompt: string; answered: string; at: number }

export type JournalEntry =
  | { kind: 'submitted'; submit: Submit; ruleId: string | null }
  | { kind: 'accepted'; generation: Generation }
  | { kind: 'moved'; id: string; status: Status; error: GenerationError | null; at: number }
  | { kind: 'released'; id: string }
  | { kind: 'ruled'; rule: Rule }
  | { kind: 'unruled'; id: string | null }

export type Journal = { append(entry: JournalEntry): void; close(): void }

/**
 * A file of JSON lines, so that a killed simulator remembers what it accepted, as a real provider would.
 * Written without fsync: it outlives the process, not the machine.
 */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'a')
  return {
    append: entry => void writeSync(file, `${JSON.stringify(entry)}\n`),
    close: () => closeSync(file),
  }
}

/** Every whole line. A last line torn by a kill is of something that no caller was answered yet. */
export function readJournal(path: string): JournalEntry[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  lines.pop()
  return lines.map(line => JSON.parse(line) as JournalEntry)
}

/** Replaces the file by these entries, whole or not at all. */
export function rewriteJournal(path: string, entries: JournalEntry[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
  renameSync(`${path}.new`, path)
}
