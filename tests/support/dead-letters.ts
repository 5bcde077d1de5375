import { join, resolve } from 'node:path'
import { instance } from './settings'

const root = resolve(import.meta.dir, '../..')

export type Letter = { topic: string; eventId: string; group: string; cause: string }

/** One call of `ops dlq`, as an operator makes it; the JSON it prints. */
export async function opsDlq<T>(...words: string[]): Promise<T> {
  const child = Bun.spawn([process.execPath, join(root, 'tools/ops.ts'), 'dlq', ...words, '--json', '--instance', instance], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [text, faults, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (status !== 0) throw new Error(`ops dlq ${words.join(' ')}: ${status} ${faults}`)
  return JSON.parse(text)
}

/** What waits to be replayed. */
export const deadLetters = () => opsDlq<Letter[]>('list')
