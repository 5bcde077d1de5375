import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { findChromium } from '../../../support/browser/chromium'
import type { Report } from '../../../support/suite/report'
import { zoneName } from '../dns-server'
import { readerCases, readerNames } from './cases'

type Row = { name: string; ours: string; curl: string; chromium: string }

const tablePath = resolve(import.meta.dir, '../../../../.local/reports/redirects.md')

/** Where URLs and redirects lead us, curl and Chromium: we arrive where Chromium does, but where a decision says otherwise. */
export async function compareReaders(report: Report, namespace: string[]): Promise<void> {
  const chromium = await findChromium()
  if (!chromium || !Bun.which('curl')) return report.skip('redirects beside curl and Chromium', 'they are not installed')
  const folder = await mkdtemp(join(tmpdir(), 'media-readers-'))
  const ca = makeCertificate({ names: ['media tests'] })
  const certificate = makeCertificate({ names: readerNames, issuer: ca })
  try {
    await Promise.all(
      Object.entries({ 'ca.pem': ca.cert, 'cert.pem': certificate.cert, 'key.pem': certificate.key }).map(([name, text]) =>
        Bun.write(join(folder, name), text),
      ),
    )
    const child = Bun.spawn([...namespace, process.execPath, resolve(import.meta.dir, 'inside.ts'), folder, chromium], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
      timeout: comparedWithinMs,
    })
    if ((await child.exited) !== 0) throw new Error('the readers could not be compared')
    const rows: Row[] = await Bun.file(join(folder, 'rows.json')).json()
    for (const row of rows) checkRow(report, row)
    report.figure('urls.reader_cases', rows.length)
    await Bun.write(tablePath, tableOf(rows))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const comparedWithinMs = 300_000

const arrives = (end: string): boolean => end.includes('/')

function checkRow(report: Report, { name, ours, curl, chromium }: Row): void {
  const { ours: expected, decision } = readerCases.find(one => one.name === name) ?? {}
  const words = `ours ${ours || 'nowhere'}, Chromium ${chromium || 'nowhere'}, curl ${curl || 'nowhere'}, expected ${expected}`
  report.check(`reader, ${name}`, ours === expected, words)
  const isAlike = arrives(ours) ? ours === chromium : !arrives(chromium)
  report.check(`reader beside Chromium, ${name}`, isAlike === (decision === undefined), `${words}, decision: ${decision ?? 'none'}`)
}

const cell = (text: string): string =>
  text === '' ? 'nowhere' : arrives(text) ? `\`${text.replace(`.${zoneName}`, '').slice(0, 60)}\`` : text

const tableOf = (rows: Row[]): string =>
  [
    '| case | ours | curl | Chromium | why ours differs from Chromium |',
    '|---|---|---|---|---|',
    ...rows.map(({ name, ours, curl, chromium }) => {
      const decision = readerCases.find(one => one.name === name)?.decision ?? ''
      return `| ${[name, cell(ours), cell(curl), cell(chromium), decision].join(' | ')} |`
    }),
    '',
  ].join('\n')
