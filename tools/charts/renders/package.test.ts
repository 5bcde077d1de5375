import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providers } from '../../providers'
import { mustRun } from '../../stack/fetch/run'
import { helm } from '../helm'
import { chartsDir } from '../write-schemas'

const dir = mkdtempSync(join(tmpdir(), 'filmgate-package-'))
afterAll(() => rmSync(dir, { recursive: true }))

test('a packaged chart contains no examples and tests', async () => {
  const { ok, output } = await helm(['package', join(chartsDir, 'filmgate'), '--destination', dir])
  expect([ok, output]).toEqual([true, expect.stringContaining('filmgate-0.1.0.tgz')])
  const files = (await mustRun('Listing', ['tar', 'tzf', join(dir, 'filmgate-0.1.0.tgz')])).split('\n')
  for (const needed of [
    'README.md',
    'templates/NOTES.txt',
    'alerts/bus.yaml',
    'charts/gateway/templates/NOTES.txt',
    'charts/service/templates/_pod.tpl',
  ])
    expect(files).toContain(`filmgate/${needed}`)
  expect(files.filter(file => /\/(ci|examples|tests)\//.test(file))).toEqual([])
})

test('the install notes name the test, the reference, and missing monitoring', async () => {
  const say = async (...set: string[]) => {
    const values = set.flatMap(one => ['--set', one])
    return (await helm(['install', 'filmgate', join(chartsDir, 'filmgate'), '-n', 'video', '--dry-run=client', ...values])).output
  }
  const plain = await say()
  for (const words of [
    'helm test filmgate -n video --logs',
    'port-forward service/filmgate-gateway 4100:80',
    'Nobody is told',
    'dispatcher.providers.fal',
  ])
    expect(plain).toContain(words)
  for (const provider of Object.keys(providers))
    expect(await say(`dispatcher.providers.${provider}.existingSecret=providers`)).not.toContain('once a provider has its key')
  const observed = await say(
    'alerts.enabled=true',
    'global.serviceMonitor.enabled=true',
    'simulator.enabled=true',
    'dispatcher.simulatorProvider.enabled=true',
  )
  expect(observed).toContain('The SIMULATOR makes the videos')
  expect(observed).not.toContain('Nobody is told')
})
