import { resolve } from 'node:path'
import { addFigure } from '../suite/figures'

const root = resolve(import.meta.dir, '../../..')

/** `bun run ops …` as an operator types it, against the stack under test: a process of its own. */
export async function ops(...words: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn([process.execPath, 'tools/ops.ts', ...words], { cwd: root, env: process.env, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (exitCode === 0) addFigure(`ops ${words.slice(0, 2).join(' ')}`)
  return { exitCode, stdout, stderr }
}

/** The same, where anything but success is an error. */
export async function opsDone(...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await ops(...words)
  if (exitCode !== 0) throw new Error(`ops ${words.join(' ')} ended with ${exitCode}: ${stderr}`)
  return stdout
}
