import { readyPods, waitForGone, waitForReady } from './cluster'
import { namespace, release } from './install'
import type { Installation } from './installation'

export const spread = ['gateway', 'ledger', 'dispatcher', 'media-probe', 'catalog']

/** A second node and two replicas of everything; gives how many pods the second node has. */
export async function spreadOverTwoNodes(installation: Installation): Promise<number> {
  const { cluster } = installation
  await cluster.kit(['node2'])
  await cluster.kubectl(['uncordon', 'node2'])
  await scaleAll(installation, 2)
  // Pods that were there before stay where they are: start over, so that they spread.
  for (const name of spread) await cluster.kubectl(['-n', namespace, 'rollout', 'restart', `deployment/${release}-${name}`])
  for (const name of spread)
    await cluster.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${release}-${name}`, '--timeout=420s'])
  for (const name of spread) await waitForGone(cluster, name, 2)
  const moved = (await Promise.all(spread.map(name => readyPods(cluster, name)))).flat().filter(pod => pod.node === 'node2').length
  if (moved === 0) throw new Error('no pod is on the second node')
  return moved
}

export async function scaleAll({ cluster }: Installation, replicas: number): Promise<void> {
  for (const name of spread) await cluster.kubectl(['-n', namespace, 'scale', `deployment/${release}-${name}`, `--replicas=${replicas}`])
  for (const name of spread) await waitForReady(cluster, name, replicas, 420_000)
}
