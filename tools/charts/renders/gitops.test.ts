import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { helm, render } from '../helm'
import { edges } from '../value-sets'
import { chartsDir } from '../write-schemas'

const umbrella = join(chartsDir, 'filmgate')
const examples = join(umbrella, 'examples')
type Found = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> }
  spec: Record<string, unknown>
}
const parse = (text: string) => ([Bun.YAML.parse(text)].flat() as (Found | null)[]).filter(one => one !== null)
const documents = async (file: string) => parse(await Bun.file(join(examples, file)).text())
/** The only document of a kind. */
async function one<Spec>(file: string, kind: string): Promise<Found & { spec: Spec }> {
  const [found, ...more] = (await documents(file)).filter(document => document.kind === kind)
  if (!found || more.length > 0) throw new Error(`${file} has not one ${kind}`)
  return found as Found & { spec: Spec }
}

type ApplicationSpec = {
  source: { repoURL: string; chart: string; targetRevision: string; helm: { valuesObject: unknown } }
  destination: { namespace: string }
}

async function renderValues(values: unknown): Promise<Found[]> {
  const settings = Object.entries(values as object).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`])
  const { ok, output } = await helm(['template', 'filmgate', umbrella, '-n', 'filmgate', ...settings])
  if (!ok) throw new Error(output)
  return parse(output)
}

async function renderProduction(): Promise<Found[]> {
  const { ok, output } = await render(umbrella, [join(examples, 'production/values.yaml')])
  if (!ok) throw new Error(output)
  return parse(output)
}

test('the examples of Argo CD and Flux fetch the chart from a registry, and their values render', async () => {
  const { version } = Bun.YAML.parse(await Bun.file(join(umbrella, 'Chart.yaml')).text()) as { version: string }
  const { source, destination } = (await one<ApplicationSpec>('gitops/argocd.yaml', 'Application')).spec
  expect([source.chart, source.targetRevision, destination.namespace]).toEqual(['filmgate', version, 'filmgate'])
  expect(source.repoURL).not.toContain('://')
  expect((await renderValues(source.helm.valuesObject)).filter(({ kind }) => kind === 'HTTPRoute')).toHaveLength(1)

  const repository = await one('gitops/flux.yaml', 'OCIRepository')
  expect(repository.spec).toMatchObject({ url: expect.stringMatching(/^oci:\/\/.+\/filmgate$/), ref: { tag: version } })
  const { chartRef, values } = (await one<{ chartRef: object; values: unknown }>('gitops/flux.yaml', 'HelmRelease')).spec
  expect(chartRef).toEqual({ kind: repository.kind, name: repository.metadata.name })
  expect((await renderValues(values)).filter(({ kind }) => kind === 'HTTPRoute')).toHaveLength(1)
})

test('Jobs before a release come in the order accounts, topics, migrations', async () => {
  const hooks = (await renderProduction())
    .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade')
    .map(({ kind, metadata }) => [Number(metadata.annotations?.['helm.sh/hook-weight']), kind, metadata.name] as const)
    .sort(([one], [other]) => one - other)
  expect(hooks.slice(0, 7).map(([, kind]) => kind)).toEqual(Array(7).fill('ServiceAccount'))
  expect(hooks[7]).toEqual([-10, 'Job', 'filmgate-topics'])
  expect(hooks.slice(8).map(([weight, , name]) => [weight, name.endsWith('-migrate')])).toEqual(Array(6).fill([0, true]))
})

test('a render has nothing that would differ at the next one or that the API server would add to a list', async () => {
  for (const file of [...new Bun.Glob('{service,filmgate,gateway,console}/templates/*').scanSync(chartsDir)]) {
    const text = await Bun.file(join(chartsDir, file)).text()
    expect([
      file,
      /\b(rand[A-Z]\w+|gen(PrivateKey|CA|SelfSigned\w+|SignedCert)|uuidv4|now|lookup|htpasswd|bcrypt)\b/.exec(text)?.[0],
    ]).toEqual([file, undefined])
  }
  const rendered = await renderProduction()
  expect(rendered.filter(({ kind }) => kind === 'Secret')).toEqual([])
  const routes = rendered.filter(({ kind }) => kind === 'HTTPRoute')
  expect(routes).toHaveLength(2)
  for (const { spec } of routes)
    expect(spec).toMatchObject({
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway' }],
      rules: [{ backendRefs: [{ group: '', kind: 'Service', weight: 1 }] }],
    })
})

test('autoscalers alone own the number of replicas, and null leaves it to kubectl scale', async () => {
  const replicas = async (values: object) =>
    (await renderValues(values))
      .filter(({ kind, metadata }) => kind === 'Deployment' && /gateway|ledger/.test(metadata.name))
      .map(({ spec }) => spec.replicas)
  expect(await replicas({})).toEqual([undefined, 2])
  expect(await replicas({ ledger: { replicas: null } })).toEqual([undefined, undefined])
})

test('each example of a load balancer holds a first POST and asks pods whether they are ready', async () => {
  expect(readdirSync(join(examples, 'edges')).sort()).toEqual(edges.map(name => `${name}.yaml`).sort())
  for (const name of edges) {
    const { ok, output } = await helm(['template', 'filmgate', umbrella, '-n', 'filmgate', '-f', join(examples, 'edges', `${name}.yaml`)])
    expect([name, ok]).toEqual([name, true])
    const objects = parse(output)
    const text = JSON.stringify(objects.filter(({ kind }) => /Ingress|HTTPRoute|Policy$|BackendConfig/.test(kind)))
    expect([name, /timeout-server":"660s|timeout_seconds=660|timeoutSec":660/.test(text) || name === 'traefik']).toEqual([name, true])
    const asksItself = ['alb', 'gce', 'gke-gateway'].includes(name)
    expect([name, text.includes('/readyz')]).toEqual([name, asksItself])
    // A cloud's policies name the Service and the object that the chart makes.
    const config = objects.find(({ kind }) => kind === 'BackendConfig')
    const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'filmgate-gateway')
    if (config) expect(service?.metadata.annotations?.['cloud.google.com/backend-config']).toContain(`"${config.metadata.name}"`)
    for (const { kind, spec } of objects.filter(({ kind }) => ['GCPBackendPolicy', 'HealthCheckPolicy'].includes(kind)))
      expect([kind, spec.targetRef]).toEqual([kind, { group: '', kind: 'Service', name: 'filmgate-gateway' }])
  }
})
