import { readyPods, waitForReady } from './cluster'
import { namespace, release, upgrade, values } from './install'
import type { Line } from './line'

export const spread = ['gateway', 'ledger', 'dispatcher', 'media-probe', 'catalog']

/** A second node and two replicas of everything; gives how many pods the second node has. */
export async function spreadOverTwoNodes({ cluster, tag }: Line): Promise<number> {
  await cluster.kit(['node2'])
  await cluster.kubectl(['uncordon', 'node2'])
  const base = values(tag)
  const two = (values: object) => ({ ...values, replicas: 2 })
  await upgrade(cluster, { ...base, ...Object.fromEntries(spread.map(name => [name, two(base[name as keyof typeof base])])) })
  // Pods that were there before stay where they are: start over, so that they spread.
  for (const name of spread) await cluster.kubectl(['-n', namespace, 'rollout', 'restart', `deployment/${release}-${name}`])
  for (const name of spread)
    await cluster.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${release}-${name}`, '--timeout=420s'])
  for (const name of spread) await waitForReady(cluster, name, 2, 420_000)
  const moved = (await Promise.all(spread.map(name => readyPods(cluster, name)))).flat().filter(pod => pod.node === 'node2').length
  if (moved === 0) throw new Error('no pod is on the second node')
  return moved
}
