import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { helm } from '../helm'
import { at, findMissing, holds, podOf, type RenderedObject } from '../knobs/find-missing'
import { backlogKnobs, type Knob, podKnobs, publishedKnobs, serverKnobs } from '../knobs/knob-table'
import { commonValues, placement } from '../pod-values'
import { type ServiceChart, serviceCharts } from '../values-schema'
import { chartsDir } from '../write-schemas'

const knobsDir = join(import.meta.dir, '../knobs')
const fileOf = (name: string) => join(knobsDir, `${name}.yaml`)
const valuesOf = (name: string) => Bun.YAML.parse(readFileSync(fileOf(name), 'utf8')) as Record<string, unknown>

/** The values files that a chart takes. */
const filesOf = (chart: ServiceChart): [name: string, knobs: Knob[]][] => [
  ['pods', podKnobs],
  ['server', serverKnobs],
  ...(['gateway', 'console'].includes(chart) ? [['published', publishedKnobs] as [string, Knob[]]] : []),
  ...(['media-probe', 'dispatcher'].includes(chart) ? [['backlog', backlogKnobs] as [string, Knob[]]] : []),
]

const alone = (chart: string) => join(chartsDir, chart, 'ci/alone.yaml')
const template = (chart: string, files: string[], settings: string[] = []) =>
  helm(['template', 'filmgate', join(chartsDir, chart), '-n', 'filmgate', ...files.flatMap(file => ['-f', file]), ...settings])

async function objectsOf(chart: string, files: string[], settings: string[] = []): Promise<RenderedObject[]> {
  const { ok, output } = await template(chart, files, settings)
  if (!ok) throw new Error(output)
  return ([Bun.YAML.parse(output)].flat() as (RenderedObject | null)[]).filter(one => one !== null)
}

test.each(serviceCharts)('every value that services share shows in the chart %s, in its server and its Jobs', async chart => {
  const files = filesOf(chart)
  const objects = await objectsOf(chart, [alone(chart), ...files.map(([name]) => fileOf(name))])
  const own = objects.filter(({ metadata }) => !/-(more|text)$/.test(metadata.name))
  expect(objects.length - own.length).toBe(2)
  expect(files.flatMap(([name, knobs]) => findMissing(knobs, valuesOf(name), own, `filmgate-${chart}`))).toEqual([])
})

/** Paths of a chart's values; a list, a text and an empty map are leaves. */
function leavesOf(tree: object, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
      ? leavesOf(value, `${prefix}${key}.`)
      : [`${prefix}${key}`],
  )
}

/** Values that other tests here turn. */
const elsewhere =
  /^(extraObjects|serviceAccount\.(create|name)|(disruptionBudget|networkPolicy|serviceMonitor)\.enabled|disruptionBudget\.maxUnavailable)$/

test('each value that services share has a row', () => {
  const { exports } = Bun.YAML.parse(readFileSync(join(chartsDir, 'service/values.yaml'), 'utf8')) as { exports: Record<string, object> }
  const rows = [...podKnobs, ...serverKnobs].map(({ value }) => value)
  const isCovered = (leaf: string) => elsewhere.test(leaf) || rows.some(row => leaf === row || leaf.startsWith(`${row}.`))
  expect(leavesOf({ ...exports.pods, ...exports.server }).filter(leaf => !isCovered(leaf))).toEqual([])
})

test.each(serviceCharts)('the chart %s refuses each of them misspelt', async chart => {
  const misspelt = filesOf(chart).flatMap(([, knobs]) => knobs.map(({ value }) => `${value}x`))
  const { ok, output } = await template(chart, [alone(chart)], ['--set', misspelt.map(path => `${path}=1`).join()])
  const refused = new Set([...output.matchAll(/'([^',\s]+)'/g)].map(([, name]) => name))
  expect(ok).toBe(false)
  expect(misspelt.filter(path => !refused.has(path.split('.').at(-1)))).toEqual([])
})

const production = join(chartsDir, 'filmgate/examples/production/values.yaml')
const umbrella = (values: Record<string, unknown>) =>
  objectsOf(
    'filmgate',
    [production],
    [
      '--set',
      'simulator.enabled=true',
      ...Object.entries(values).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`]),
    ],
  )
const pick = (values: Record<string, unknown>, names: string[]) => Object.fromEntries(names.map(name => [name, values[name]]))

test('what global says of pods and objects holds for every service, Job and test', async () => {
  const pods = podKnobs.filter(({ value }) => Object.keys(placement).includes(value))
  const common = serverKnobs.filter(({ value }) => /^(common|topologySpread)/.test(value))
  const values = { ...pick(valuesOf('pods'), Object.keys(placement)), ...pick(valuesOf('server'), Object.keys(commonValues)) }
  const objects = await umbrella(Object.fromEntries(Object.entries(values).map(([name, value]) => [`global.${name}`, value])))
  // The production example gives the gateway a class of its own, which wins.
  const [own, shared] = [objects.filter(isGateway), objects.filter(one => !isGateway(one))]
  expect(findMissing([...pods, ...common], { ...values, priorityClassName: 'filmgate-api' }, own, 'filmgate-gateway')).toEqual([])
  expect(shared.filter(one => podOf(one)).length).toBeGreaterThan(14)
  for (const { kind, metadata } of shared.filter(({ kind }) => kind === 'Deployment'))
    expect([kind, findMissing([...pods, ...common], values, shared, metadata.name)]).toEqual([kind, []])
})

const isGateway = ({ kind, metadata }: RenderedObject) => kind !== 'NetworkPolicy' && metadata.name.startsWith('filmgate-gateway')

test('the topics’ Job and the test’s pod have the values of pods, and accounts of their own', async () => {
  const topics = { ...valuesOf('pods'), priorityClassName: 'topics' }
  const objects = await umbrella({ topics, test: valuesOf('pods') })
  const of = (name: string) => objects.filter(({ metadata }) => metadata.name === name)
  expect(findMissing(podKnobs, topics, of('filmgate-topics'), '')).toEqual([])
  expect(findMissing(podKnobs, valuesOf('pods'), of('filmgate-acceptance'), '')).toEqual([])
  const ours = [...of('filmgate-topics'), ...of('filmgate-acceptance')]
  expect(ours.flatMap(one => podOf(one) ?? []).map(({ spec }) => at(spec, 'serviceAccountName'))).toEqual(
    expect.arrayContaining(['filmgate-topics', 'filmgate-acceptance']),
  )
  for (const section of ['topics', 'test']) {
    const { ok, output } = await template('filmgate', [production], ['--set', `${section}.toleration[0].key=a`])
    expect([ok, output]).toEqual([false, expect.stringContaining("'toleration'")])
  }
})

const accountsOf = (objects: RenderedObject[]) => [
  ...new Set(objects.flatMap(one => podOf(one) ?? []).map(({ spec }) => at(spec, 'serviceAccountName'))),
]

test('pods use the account of their service, Jobs before it one that is made before them, and others where one is named', async () => {
  const set = async (...values: string[]) =>
    objectsOf(
      'gateway',
      [alone('gateway')],
      values.flatMap(value => ['--set', value]),
    )
  const own = await set()
  expect(accountsOf(own)).toEqual(['filmgate-gateway', 'filmgate-gateway-migrate'])
  const hook = own.find(({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === 'filmgate-gateway-migrate')
  expect(hook?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-weight': '-20' })
  expect(accountsOf(await set('serviceAccount.name=api'))).toEqual(['api', 'filmgate-gateway-migrate'])
  const theirs = await set('serviceAccount.create=false', 'serviceAccount.name=theirs')
  expect(accountsOf(theirs)).toEqual(['theirs'])
  expect(theirs.filter(({ kind }) => kind === 'ServiceAccount')).toEqual([])
  expect(accountsOf(await set('serviceAccount.create=false'))).toEqual(['default'])
})

test('all network policies are off together, or those of one service', async () => {
  const policies = async (values: Record<string, unknown>) =>
    (await umbrella(values)).filter(({ kind }) => kind === 'NetworkPolicy').map(({ metadata }) => metadata.name)
  expect(await policies({ 'global.networkPolicy.enabled': false, 'ledger.networkPolicy.enabled': true })).toEqual([])
  const others = await policies({ 'ledger.networkPolicy.enabled': false })
  expect(others).toContain('filmgate-default-deny')
  expect(others.filter(name => name.includes('ledger'))).toEqual([])
})

test('DNS and rules of one’s own in global reach every policy, the topics’ and the test’s too', async () => {
  const { dns, extraEgress } = valuesOf('server').networkPolicy as { dns: { to: object }; extraEgress: object }
  const objects = await umbrella({ 'global.networkPolicy.dns': dns, 'global.networkPolicy.extraEgress': extraEgress })
  const policies = objects.filter(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name !== 'filmgate-default-deny')
  expect(policies.length).toBeGreaterThan(14)
  const egress = [{ to: dns.to, ports: [{ protocol: 'UDP', port: 5353 }] }, ...(extraEgress as object[])]
  expect(policies.filter(({ spec }) => !holds(spec?.egress, egress)).map(({ metadata }) => metadata.name)).toEqual([])
  expect(JSON.stringify(policies)).not.toContain('kube-dns')
})

test('objects of one’s own may be maps or texts', async () => {
  const objects = await umbrella({ extraObjects: valuesOf('server').extraObjects })
  const found = objects.filter(({ metadata }) => ['filmgate-more', 'filmgate-filmgate-text'].includes(metadata.name))
  expect(found.map(one => at(one, 'data.from'))).toEqual(['a map', 'a text'])
})

test('what is given of a lifecycle, an affinity and a behaviour takes the place of the chart’s own, and of nothing else', async () => {
  const preStop = { exec: { command: ['/wait'] } }
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] }
  const scaleUp = { policies: [{ type: 'Pods', value: 4, periodSeconds: 30 }] }
  const settings = {
    'lifecycle.preStop': preStop,
    'affinity.podAntiAffinity': podAntiAffinity,
    'horizontalAutoscaler.behavior': { scaleUp },
  }
  const json = Object.entries(settings).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`])
  const objects = await objectsOf('gateway', [alone('gateway')], json)
  const [deployment] = objects.filter(({ kind }) => kind === 'Deployment')
  const pod = at(deployment, 'spec.template.spec')
  expect(at(pod, 'containers.0.lifecycle')).toEqual({ preStop })
  expect(at(pod, 'affinity')).toEqual({ podAntiAffinity })
  const [autoscaler] = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
  expect(at(autoscaler, 'spec.behavior')).toEqual({
    scaleUp: { stabilizationWindowSeconds: 0, ...scaleUp },
    scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Percent', value: 25, periodSeconds: 30 }] },
  })
})

test('null takes a line of a security context away', async () => {
  const ids = ['runAsUser', 'runAsGroup', 'fsGroup'].map(name => `podSecurityContext.${name}=null`)
  const containers = ['runAsUser', 'runAsGroup'].map(name => `securityContext.${name}=null`)
  const objects = await objectsOf('ledger', [alone('ledger')], ['--set', [...ids, ...containers].join()])
  const pods = objects.flatMap(one => podOf(one) ?? [])
  expect(pods).toHaveLength(3)
  expect(JSON.stringify(pods)).not.toMatch(/runAsUser|runAsGroup|fsGroup"/)
})
