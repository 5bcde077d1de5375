import { openAccount } from '../../support/client/account'
import type { Report } from '../../support/suite/report'
import { makeBodies } from './bodies'
import { checkPython, mypyVersion } from './check-python'
import { type Compiled, compileTypeScript } from './compile-typescript'

/** Right ones, and as many with a fault that both languages refuse. */
const bodiesOfEach = 200

/** The generated types take right bodies and refuse wrong ones, in one run of tsc and one of mypy over all models and modes. */
export async function prove(report: Report): Promise<void> {
  const seed = Date.now() & 0x7fffffff
  const { api } = await openAccount({ credits: 1 })
  const bodies = makeBodies(JSON.parse((await api.get('/models')).text), bodiesOfEach, seed)
  report.figure('types.seed', seed)
  report.figure('types.mypy', mypyVersion)
  report.figure('types.right', bodies.right.length)
  report.figure('types.wrong', bodies.wrong.length)
  tell(report, 'TypeScript', await compileTypeScript(bodies))
  tell(report, 'Python', await checkPython(bodies))
}

function tell(report: Report, language: string, { misjudged, refused, ms }: Compiled): void {
  const words = misjudged.map(({ line, words }) => `${line}\n    ${words}`).join('\n')
  report.check(`${language}: types take every right body and refuse every wrong one`, misjudged.length === 0, words)
  report.check(`${language}: at least ${bodiesOfEach} wrong bodies are refused`, refused >= bodiesOfEach, String(refused))
  report.figure(`types.${language}.refused`, refused)
  report.figure(`types.${language}.seconds`, ms / 1000)
}
