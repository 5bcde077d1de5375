import { join, resolve } from 'node:path'
import { createReport } from '../support/suite/report'

const gateway = resolve(import.meta.dir, '../../services/gateway')
const limit = 30
const addedMsMax = 100

type Figures = Record<string, number> & { faults: string }

/**
 * `bun run test:load limits [arrivals] [a second]`: three of the gateway's limiters, a process each, their clocks five minutes apart, over a Redis that
 * is restarted, killed, stalled, failed over, emptied and cut off from one of them. Writes `.local/reports/limits.json`.
 */
export async function tryLimits({ arrivals, perSecond }: { arrivals: number; perSecond: number }): Promise<number> {
  const report = createReport('limits')
  const child = Bun.spawn([process.execPath, join(gateway, 'src/rate-limit/testing/run-storm.ts'), String(arrivals), String(perSecond)], {
    cwd: gateway,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  report.check('the storm ends', code === 0, text)
  if (code !== 0) return report.finish()
  const figures = JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as Figures
  for (const [name, value] of Object.entries(figures)) report.figure(name, value)
  const is = (name: string) => figures[name] ?? Number.NaN
  report.check(`no 60 s window lets ${limit + 1} through`, is('mostInOneWindow') === limit, `${is('mostInOneWindow')}`)
  report.check('all that may become of a Redis became of it', figures.faults.split(', ').length === 7, figures.faults)
  report.check(`with Redis well none is refused with fewer than ${limit}`, is('refusalsJudged') > 0 && is('refusedWithFewer') === 0)
  report.check('who waits as long as it was told is let through', is('retryAfterKept') > 0 && is('retryAfterBroken') === 0)
  report.check(`999 of 1,000 wait no longer than ${addedMsMax} ms for a token`, is('waitMsP999') <= addedMsMax, `${is('waitMsP999')} ms`)
  return report.finish()
}
