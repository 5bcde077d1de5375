import { join } from 'node:path'
import { fetchHelm, helm } from '@filmgate/tools/charts/helm'
import { type ValueSet, valueSets } from '@filmgate/tools/charts/value-sets'
import { type Cluster, root } from '../../cluster'
import { namespace } from '../../install'
import { mustRun } from '../../shell'

export const render = ({ chart, files, set }: Omit<ValueSet, 'name'>) =>
  helm([
    'template',
    'filmgate',
    chart,
    '--namespace',
    namespace,
    ...files.flatMap(file => ['-f', file]),
    ...set.flatMap(one => ['--set', one]),
  ])

/** Kinds that operators add, by the group of their definition. */
const customGroups = /^apiVersion: [^\n]*(keda\.sh|gateway\.networking\.k8s\.io|monitoring\.coreos\.com|cnpg\.io)\//m

export type Rendered = { builtIn: string[]; custom: string[]; manifests: number }

/** Every object that any set of values renders, and those of k8s/, each once and as it is written. Strimzi's kinds are defined nowhere that can be had. */
export async function renderEverything(): Promise<Rendered> {
  const documents = new Set<string>()
  const add = (text: string) => {
    for (const document of text.split(/^---$/m)) if (/^kind: /m.test(document)) documents.add(document.trim())
  }
  for (const set of valueSets) {
    const { ok, output } = await render(set)
    if (!ok) throw new Error(`${set.name}: ${output}`)
    add(output)
  }
  const manifests = [...new Bun.Glob('**/*.yaml').scanSync(join(root, 'k8s'))].filter(
    path => !/kustomization|strimzi|single-node-tls/.test(path),
  )
  for (const path of manifests) add(await Bun.file(join(root, 'k8s', path)).text())
  // Patches are no objects: what they make of the others is.
  add(await mustRun([join(await fetchHelm(), 'kubectl'), 'kustomize', join(root, 'k8s/single-node-tls')]))
  const all = [...documents].filter(document => !/^kind: Namespace$/m.test(document))
  return {
    builtIn: all.filter(document => !customGroups.test(document)),
    custom: all.filter(document => customGroups.test(document)),
    manifests: manifests.length + 1,
  }
}

/**
 * The API server itself judges each object as if it were made, in a namespace of its own that warns of what PodSecurity restricted
 * would refuse: an unknown field, a wrong type, a value out of its bounds or a warning is a failure. Nothing is stored but accounts, without
 * which no pod is taken.
 */
export async function judge({ kubectl }: Cluster, documents: string[], space: string): Promise<number> {
  await kubectl(['create', 'namespace', space])
  try {
    await kubectl(['label', 'namespace', space, 'pod-security.kubernetes.io/warn=restricted'])
    const moved = documents.map(document => document.replace(/^( {2}|metadata: \{.*)(namespace:) [^\s,}]+/m, `$1$2 ${space}`))
    const apply = ['apply', '--server-side', '--validate=strict', '--warnings-as-errors', '-n', space, '-f', '-']
    const accounts = moved.filter(document => /^kind: ServiceAccount$/m.test(document))
    if (accounts.length > 0) await kubectl(apply, accounts.join('\n---\n'))
    return (await kubectl([...apply, '--dry-run=server'], moved.join('\n---\n'))).trim().split('\n').length
  } finally {
    await kubectl(['delete', 'namespace', space, '--wait=false'])
  }
}
