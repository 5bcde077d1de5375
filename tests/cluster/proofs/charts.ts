import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { helm } from '@filmgate/tools/charts/helm'
import { kubernetesSchemas } from '@filmgate/tools/charts/kubernetes-schemas'
import { refusedValues, type ValueSet, valueSets } from '@filmgate/tools/charts/value-sets'
import { chartSteps } from '@filmgate/tools/verify/charts'
import { binary, root } from '../cluster'
import { namespace } from '../install'
import type { Line } from '../line'
import type { Proof } from '../report'
import { mustRun, run } from '../shell'

const render = ({ chart, files, set }: Omit<ValueSet, 'name'>) =>
  helm([
    'template',
    'filmgate',
    chart,
    '--namespace',
    namespace,
    ...files.flatMap(file => ['-f', file]),
    ...set.flatMap(one => ['--set', one]),
  ])

/** What can be said of charts without running them, by the trade's own tools. */
export const chartsProof: Proof<Line> = {
  name: 'charts by the tools of the trade',
  short: true,
  async prove(line) {
    await line.cluster.kit(['tools'])
    for (const { name, run } of chartSteps) {
      const { ok, output } = await run()
      if (!ok) throw new Error(`${name}: ${output}`)
    }
    return { ...(await conforms()), refused: await refuses(), ...(await scores()), unit_tests: await unitTests(), ...(await dryRun(line)) }
  },
}

async function conforms() {
  const schemas = await kubernetesSchemas()
  const check = [binary('kubeconform'), '-strict', '-summary', '-schema-location', `${schemas}/{{ .ResourceKind }}{{ .KindSuffix }}.json`]
  for (const set of valueSets) {
    const { ok, output } = await render(set)
    if (!ok) throw new Error(`${set.name}: ${output}`)
    await mustRun(check, { input: output }).catch(error => {
      throw new Error(`${set.name}: ${error.message}`)
    })
  }
  const manifests = [...new Bun.Glob('**/*.yaml').scanSync(join(root, 'k8s'))].filter(path => !/kustomization|strimzi/.test(path))
  await mustRun([...check, ...manifests.map(path => join(root, 'k8s', path))])
  return { value_sets: valueSets.length, manifests: manifests.length }
}

async function refuses(): Promise<number> {
  for (const { words, ...set } of refusedValues) {
    const { ok, output } = await render(set)
    if (ok || !words.test(output)) throw new Error(`${set.set.join(' ')} should be refused with ${words}: ${output.slice(0, 500)}`)
  }
  return refusedValues.length
}

async function scores() {
  const { output: rendered } = await render({ chart: join(root, 'charts/filmgate'), files: [], set: [] })
  const { output } = await run([binary('kubescore'), 'score', '-o', 'ci', '-'], { input: rendered })
  const count = (grade: string) => output.split('\n').filter(line => line.startsWith(`[${grade}]`)).length
  const [critical, warning, ok] = [count('CRITICAL'), count('WARNING'), count('OK')]
  if (critical + warning > 0 || ok === 0) throw new Error(`kube-score: ${output}`)
  return { kube_score_critical: critical, kube_score_warning: warning, kube_score_ok: ok }
}

async function unitTests(): Promise<number> {
  const charts = readdirSync(join(root, 'charts')).filter(name => existsSync(join(root, 'charts', name, 'tests')))
  const words = await mustRun([binary('helm-unittest'), '--with-subchart=false', ...charts.map(name => join(root, 'charts', name))])
  return Number(/Tests:\s+(\d+) passed/.exec(words)?.[1] ?? 0)
}

/** The API server itself takes everything, in a namespace that enforces PodSecurity restricted. */
async function dryRun({ cluster }: Line) {
  const space = 'filmgate-dry-run'
  await cluster.kubectl(['create', 'namespace', space])
  await cluster.kubectl([
    'label',
    'namespace',
    space,
    'pod-security.kubernetes.io/enforce=restricted',
    'pod-security.kubernetes.io/warn=restricted',
  ])
  try {
    let objects = 0
    for (const set of valueSets.filter(({ files }) => /default|single-node/.test(files.join()))) {
      const { output } = await render(set)
      const kept = output
        .split(/^---$/m)
        .filter(
          part =>
            /^kind:/m.test(part) && !/^kind: (ScaledObject|TriggerAuthentication|ServiceMonitor|PrometheusRule|HTTPRoute)$/m.test(part),
        )
      const words = await cluster.kubectl(
        ['apply', '--dry-run=server', '-n', space, '-f', '-'],
        kept.join('\n---\n').replaceAll(`namespace: ${namespace}`, `namespace: ${space}`),
      )
      if (/would violate PodSecurity/.test(words)) throw new Error(`${set.name}: ${words}`)
      objects += words.trim().split('\n').length
    }
    return { dry_run_objects: objects }
  } finally {
    await cluster.kubectl(['delete', 'namespace', space, '--wait=false'])
  }
}
