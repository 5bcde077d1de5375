import { join } from 'node:path'
import { kitDir } from '../images/bases'
import { pinsOf } from './pins-of'

/** The node's pins: versions that were built and booted together. */
export const nodeModFile = join(kitDir, 'cluster/go.mod')
/** The pins of a tool of the kit. */
export const toolModFile = (name: 'contour' | 'keda'): string => join(kitDir, 'tools', name, 'go.mod')

export async function kubernetesVersion(): Promise<string> {
  const kubernetes = pinsOf(await Bun.file(nodeModFile).text()).find(({ path }) => path === 'k8s.io/kubernetes')
  if (!kubernetes) throw new Error(`${nodeModFile} pins no Kubernetes`)
  return kubernetes.version
}
