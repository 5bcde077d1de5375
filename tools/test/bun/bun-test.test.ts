import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { bunTest } from './bun-test'

test.each([1, 2])('failing tests and files that don’t load count as failures, %i files at once', async workers => {
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-bun-test-'))
  const run = async (name: string, code: string, retry = false) => {
    writeFileSync(join(dir, name), code)
    const paths = [relative(process.cwd(), join(dir, name))]
    const reportFile = join(dir, 'report.xml')
    const { files, ...outcome } = await bunTest({
      paths,
      env: process.env,
      signal: new AbortController().signal,
      workers,
      retry,
      reportFile,
      show: () => {},
    })
    // A file that doesn't load has no time.
    if (outcome.passed) expect(files.map(({ file, seconds }) => [basename(file), seconds > 0])).toEqual([[name, true]])
    return outcome
  }
  try {
    const one = `import { expect, test } from 'bun:test'\ntest('right', () => expect(1).toBe(1))\n`
    expect(await run('right.test.ts', one)).toEqual({ passed: 1, failed: 0, skipped: 0, failures: [], flaky: [] })
    const wrong = `describe('many', () => test('right & "wrong" <2>', () => expect(1).toBe(2)))\ntest('late', () => Bun.sleep(1000), 10)\n`
    expect(await run('wrong.test.ts', one.replace('{ ', '{ describe, ') + wrong)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 0,
      failures: [
        expect.stringMatching(/wrong\.test\.ts: many > right & "wrong" <2>: expect\(received\)\.toBe\(expected\)$/),
        expect.stringMatching(/wrong\.test\.ts: late: test timed out$/),
      ],
      flaky: [],
    })
    // Fails in the first process that runs it.
    const mark = join(dir, 'mark')
    const second = `import { existsSync, writeFileSync } from 'node:fs'
      const again = existsSync('${mark}')\nwriteFileSync('${mark}', '')
      test('second', () => expect(again).toBe(true))\n`
    expect(await run('second.test.ts', one + second)).toMatchObject({ passed: 1, failed: 1, flaky: [] })
    rmSync(mark)
    expect(await run('second.test.ts', one + second, true)).toEqual({
      ...{ passed: 2, failed: 0, skipped: 0, failures: [] },
      flaky: [{ file: expect.stringMatching(/\/second\.test\.ts$/), name: 'second', reason: 'expect(received).toBe(expected)' }],
    })
    // Fails in the second process only, beside one that always fails.
    rmSync(mark)
    const first = `${second.replace('toBe(true)', 'toBe(false)')}test('always', () => expect(1).toBe(2))\n`
    expect(await run('first.test.ts', one + first, true)).toMatchObject({
      ...{ passed: 2, failed: 1, failures: [expect.stringContaining('always')] },
      flaky: [{ name: 'second' }],
    })
    // What a test leaves in a group of its own, with the output open, is not waited for.
    const left = `Bun.spawn(['sleep', '60'], { stdio: ['ignore', 'inherit', 'inherit'], detached: true })`
    const leaves = `const left = ${left}\nleft.unref()\nawait Bun.write('${join(dir, 'left')}', String(left.pid))\n`
    expect(await run('leaves.test.ts', one + leaves)).toMatchObject({ passed: 1, failed: 0 })
    process.kill(Number(readFileSync(join(dir, 'left'), 'utf8')))
    const leaves0 = await run('ends.test.ts', `${one}test('ends', () => process.exit(0))\ntest('wrong', () => expect(1).toBe(2))\n`)
    expect(leaves0.failed).toBeGreaterThan(0)
    const broken = await run('broken.test.ts', `import './not-there'\n${one}`)
    expect(broken).toMatchObject({ failed: 1, failures: [expect.stringContaining('broken.test.ts')] })
    // Not hidden by a failure elsewhere, which passes the second time.
    rmSync(mark, { force: true })
    const beside = await bunTest({
      ...{ env: process.env, signal: new AbortController().signal, reportFile: join(dir, 'report.xml'), show: () => {} },
      ...{ paths: ['second.test.ts', 'broken.test.ts', 'right.test.ts'].map(name => join(dir, name)), workers, retry: true },
    })
    expect(beside).toMatchObject({
      passed: 3,
      failed: 1,
      failures: [expect.stringContaining('broken.test.ts')],
      flaky: [{ name: 'second' }],
    })
  } finally {
    rmSync(dir, { recursive: true })
  }
})
