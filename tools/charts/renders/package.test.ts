import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providers } from '../../providers'
import { mustRun } from '../../stack/fetch/run'
import { helm, render } from '../helm'
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

test('a packed chart has no symbolic links and renders what the folder does', async () => {
  const archive = join(dir, 'filmgate-0.1.0.tgz')
  await helm(['package', join(chartsDir, 'filmgate'), '--destination', dir])
  const entries = (await mustRun('Listing', ['tar', 'tvzf', archive])).trim().split('\n')
  expect(entries.length).toBeGreaterThan(100)
  expect(entries.filter(entry => !entry.startsWith('-'))).toEqual([])
  const examples = join(chartsDir, 'filmgate/examples')
  for (const name of ['default', 'single-node', 'production']) {
    const { output } = await render(archive, [join(examples, name, 'values.yaml')])
    expect(output === (await Bun.file(join(examples, name, 'rendered.yaml')).text())).toBe(true)
  }
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
