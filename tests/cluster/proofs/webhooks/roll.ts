import { type Cluster, waitForGone } from '../../cluster'
import { namespace, release } from '../../install'
import { auditIsClean, type Installation, loadKeys, underLoad } from '../../installation'
import { judgeRoutine } from '../../load/gate'
import { mediaHost, postedToMediaHost, serveMedia } from '../../media-host'
import type { Proof } from '../../report'
import { eventually } from '../../shell'

const requestsPerSecond = 12
const rolls = 3
const deliveredMsMax = 180_000

type Event = { type: string; data: { task: { id: string } } }

/** The service is replaced again and again while tasks end: the end of each reaches the endpoint of its account. */
export const webhooksProof: Proof<Installation> = {
  name: 'webhooks rolled under load',
  short: true,
  needs: 'media host',
  async prove(installation) {
    await serveMedia(installation.cluster, {})
    const keys = await loadKeys(installation, 4)
    for (const key of keys) await addEndpoint(installation, key)
    const rollAll = async () => {
      for (let turn = 0; turn < rolls; turn++) await roll(installation.cluster)
      return { rolls }
    }
    const { load, figures } = await underLoad(installation, requestsPerSecond, rollAll, keys)
    const events = await eventually('the end of every task at its endpoint', deliveredMsMax, async () => {
      const posted = await postedToMediaHost<Event>()
      const told = new Set(posted.map(({ data }) => data.task.id))
      const missing = load.tasks.filter(id => !told.has(id))
      if (missing.length > 0) throw new Error(`${missing.length} of ${load.tasks.length} tasks, such as ${missing[0]}`)
      return posted.length
    })
    const failures = judgeRoutine(load)
    await auditIsClean(installation)
    return { ...figures, ...failures, events }
  },
}

async function addEndpoint({ target }: Installation, key: string): Promise<void> {
  const response = await fetch(`${target.url}/api/v1/webhook-endpoints`, {
    method: 'POST',
    headers: { host: target.host, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `https://${mediaHost}/hook`, events: ['task.completed', 'task.failed'] }),
  })
  if (response.status !== 201) throw new Error(`adding an endpoint answers ${response.status} ${await response.text()}`)
}

async function roll(cluster: Cluster): Promise<void> {
  await cluster.kubectl(['-n', namespace, 'rollout', 'restart', `deployment/${release}-webhooks`])
  await cluster.kubectl(['-n', namespace, 'rollout', 'status', `deployment/${release}-webhooks`, '--timeout=300s'])
  await waitForGone(cluster, 'webhooks', 1)
}
