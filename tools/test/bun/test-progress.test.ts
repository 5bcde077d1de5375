import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestProgress } from './test-progress'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-progress-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('each file is shown once with progress, and passed tests only in the log', async () => {
  const [written, logFile] = [[] as string[], join(folder, 'test.log')]
  const progress = startTestProgress(2, logFile, line => written.push(line))
  const lines = ['a.test.ts:', '(pass) quick [1ms]', '', 'b.test.ts:', '(fail) wrong [2ms]', 'a.test.ts:', '(pass) slow [3ms]']
  for (const line of lines) progress.lane('lane ')(line)
  await progress.end()
  expect(written).toEqual(['lane [1/2 0:00] a.test.ts', 'lane [2/2 0:00] b.test.ts', 'lane (fail) wrong [2ms]'])
  expect(readFileSync(logFile, 'utf8')).toBe(lines.map(line => `lane ${line}\n`).join(''))
})
