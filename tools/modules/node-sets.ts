import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { kitDir } from '../images/bases'
import { StackFault } from '../stack/fault'
import { pinsOf } from './pins-of'

/** Versions that were built and booted together: a mod file of node/cluster with its sums, named by its Kubernetes. */
export type NodeSet = { name: string; modFile: string; path: string }

const folder = join(kitDir, 'cluster')

/** The one that go.mod pins, then the others, newest first. */
export async function nodeSets(): Promise<NodeSet[]> {
  const others = readdirSync(folder).filter(file => file.endsWith('.mod') && file !== 'go.mod')
  return Promise.all(['go.mod', ...others.sort().reverse()].map(async modFile => setOf(modFile, join(folder, modFile))))
}

export async function chooseSets(wanted: string | undefined): Promise<NodeSet[]> {
  const sets = await nodeSets()
  const chosen = wanted === undefined ? sets : sets.filter(({ name }) => name === wanted)
  if (chosen.length === 0) throw new StackFault(`There is no set ${wanted}; there are: ${sets.map(({ name }) => name).join(', ')}`)
  return chosen
}

async function setOf(modFile: string, path: string): Promise<NodeSet> {
  const kubernetes = pinsOf(await Bun.file(path).text()).find(pin => pin.path === 'k8s.io/kubernetes')
  if (!kubernetes) throw new Error(`${path} pins no Kubernetes`)
  return { name: kubernetes.version.slice(1), modFile, path }
}
