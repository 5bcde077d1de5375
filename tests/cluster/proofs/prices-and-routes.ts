import { type Cluster, forward, readyPods, waitForGone } from '../cluster'
import { namespace, operatorToken, release, toYaml, upgrade, values } from '../install'
import { auditIsClean, type Installation, loadKeys, underLoad } from '../installation'
import { judgeRoutine } from '../load/gate'
import { operatorOf } from '../load/load'
import type { Proof } from '../report'
import { eventually } from '../shell'

const model = 'alpha-h3'
const providersName = 'alpha-h3-elsewhere'
const routes = { routes: [{ provider: 'simulator', model: providersName }] }
const configMap = 'cluster-test-prices'
const versions = { first: 'cluster-test-1', second: 'cluster-test-2' }
/** The kubelet brings a changed ConfigMap to a running pod within this. */
const broughtMsMax = 150_000

/**
 * What a model costs and who makes it are files: the routes by the release's own ConfigMap, whose change rolls the pods, the prices by one that is
 * there, whose change reaches the pods that run. All under load: a task costs what was asked for when it was taken, and no request fails.
 */
export const pricesAndRoutesProof: Proof<Installation> = {
  name: 'prices and routes from ConfigMaps, changed without an image',
  short: false,
  async prove(installation) {
    const { cluster } = installation
    const [key = ''] = await loadKeys(installation, 1)
    const images = await imagesOf(cluster)
    const atFirst = await estimate(installation, key)
    await applyPrices(cluster, versions.first, 2)
    const base = values(installation.tag)
    const { load, figures } = await underLoad(installation, 12, async () => {
      const rolled = await upgrade(cluster, {
        ...base,
        catalog: { ...base.catalog, prices: { existingConfigMap: configMap } },
        dispatcher: { ...base.dispatcher, routes: { files: { [`${model}.yaml`]: JSON.stringify(routes) } } },
      })
      const first = await inForce(installation, key, versions.first)
      // What was replaced ends what it holds: from now on the new routes are all there are.
      await waitForGone(cluster, 'dispatcher', 1)
      const made = await madeAs(installation, key)
      if (made !== providersName) throw new Error(`a task was sent as ${made} and the routes say ${providersName}`)
      const pods = await catalogPods(cluster)
      const startedAt = performance.now()
      await applyPrices(cluster, versions.second, 4)
      const second = await inForce(installation, key, versions.second)
      const broughtSeconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
      if ((await catalogPods(cluster)) !== pods) throw new Error('a changed price list replaced pods of the catalog')
      if (!(atFirst.credits < first.credits && first.credits < second.credits))
        throw new Error(`${atFirst.credits}, ${first.credits} and ${second.credits} credits should rise`)
      return {
        credits: `${atFirst.credits} → ${first.credits} → ${second.credits}`,
        upgrade_s: Number(rolled.toFixed(1)),
        brought_s: broughtSeconds,
      }
    })
    const failures = judgeRoutine(load)
    if ((await imagesOf(cluster)) !== images) throw new Error('an image was changed')
    await auditIsClean(installation)
    await upgrade(cluster, base)
    return { ...figures, ...failures }
  },
}

/** A price book of one model, so many times as dear as the list has it. */
async function applyPrices(cluster: Cluster, version: string, times: number): Promise<void> {
  const price = (cny: number) => ({ '768p': cny * times, '2k': cny * times * 1.5 })
  const book = {
    version,
    margin: 1.3,
    models: { [model]: { currency: 'CNY', per: 'second', output: price(0.5), input_video: price(0.5) } },
  }
  const data = { 'prices.yaml': JSON.stringify(book) }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: configMap, namespace }, data }
  await cluster.kubectl(['apply', '-f', '-'], toYaml(object))
}

type Estimate = { credits: number; price_version: string }

async function estimate(installation: Installation, key: string): Promise<Estimate> {
  const response = await ask(installation, key, '/video/estimate', { model, prompt: 'what does it cost', duration: 4 })
  return (await response.json()) as Estimate
}

const inForce = (installation: Installation, key: string, version: string) =>
  eventually(`prices ${version} in force`, broughtMsMax, async () => {
    const found = await estimate(installation, key)
    return found.price_version.includes(version) && found
  })

const ask = ({ target }: Installation, key: string, path: string, body: object) =>
  fetch(`${target.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      host: target.host,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  })

/** The name under which a new task went to its provider. */
async function madeAs(installation: Installation, key: string): Promise<string> {
  const { id } = (await (await ask(installation, key, '/video/generations', { model, prompt: 'load of routes', duration: 4 })).json()) as {
    id: string
  }
  const dispatcher = await forward(installation.cluster, `service/${release}-dispatcher`, 80)
  try {
    const { attempts } = await operatorOf(dispatcher.url, operatorToken).call<{ attempts: { provider_model: string }[] }>(
      'GET',
      `/tasks/${id}`,
    )
    return attempts[0]?.provider_model ?? 'nothing'
  } finally {
    dispatcher.close()
  }
}

const catalogPods = async (cluster: Cluster): Promise<string> =>
  (await readyPods(cluster, 'catalog'))
    .map(({ name }) => name)
    .sort()
    .join()

async function imagesOf(cluster: Cluster): Promise<string> {
  type Deployments = { items: { spec: { template: { spec: { containers: { image: string }[] } } } }[] }
  const { items } = await cluster.get<Deployments>(['deployments', '-n', namespace])
  return items
    .flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image))
    .sort()
    .join()
}
