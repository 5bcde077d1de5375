import { connect } from 'node:tls'
import { type Cluster, readyPods } from '../cluster'
import { backends, helmTest, namespace, toYaml } from '../install'
import { auditIsClean, type Installation } from '../installation'
import { brokerObjects, clientObjects, type KafkaLogin, kafkaUser, makeKafkaLogin } from '../kafka-login'
import type { Proof } from '../report'
import { eventually } from '../shell'

const services = ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher', 'webhooks'] as const
const broker = { name: 'filmgate-kafka-bootstrap.filmgate-backends.svc', port: 9092 }

/** Everything before and after this proof goes over TLS, too: here it is looked at from outside, and what is secret about it is changed under way. */
export const kafkaLoginProof: Proof<Installation> = {
  name: 'Kafka with TLS, SCRAM and an authority of its own, all of it rotated',
  short: true,
  async prove(installation) {
    const { cluster } = installation
    if (!installation.kafka) throw new Error('only for brokers that the install proof has made')
    const protocol = await handshake(cluster, installation.kafka)
    const before = await podsOf(cluster)
    const startedAt = performance.now()
    installation.kafka = await rotate(cluster, installation.kafka)
    await helmTest(cluster)
    const after = await podsOf(cluster)
    if (after.join() !== before.join())
      throw new Error(`a new password and authority restarted pods: ${before.join(' ')} became ${after.join(' ')}`)
    await noSecretIsLogged(cluster, installation.kafka)
    await auditIsClean(installation)
    return { protocol, pods_restarted: 0, rotated_s: Number(((performance.now() - startedAt) / 1000).toFixed(1)) }
  },
}

/** What the broker answers: a certificate that the authority has signed, for its name. */
async function handshake(cluster: Cluster, { authority }: KafkaLogin): Promise<string> {
  const { status } = await cluster.get<{ status: { podIP: string } }>(['pod', 'kafka-0', '-n', backends])
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect({ host: status.podIP, port: broker.port, servername: broker.name, ca: authority }, () =>
    resolve(socket.getProtocol() ?? ''),
  )
  socket.on('error', reject)
  return promise.finally(() => socket.destroy())
}

/** A new authority is trusted beside the old one, then everything is changed at once and the broker started anew, which ends every login. */
async function rotate(cluster: Cluster, old: KafkaLogin): Promise<KafkaLogin> {
  const login = makeKafkaLogin()
  const change = [
    '--alter',
    '--entity-type',
    'users',
    '--entity-name',
    kafkaUser,
    '--add-config',
    `SCRAM-SHA-512=[password=${login.password}]`,
  ]
  const tool = ['java', '-Xmx128m', '-cp', '/opt/kafka/libs/*', 'kafka.admin.ConfigCommand', '--bootstrap-server', 'localhost:9095']
  await cluster.kubectl(['-n', backends, 'exec', 'kafka-0', '--', ...tool, ...change])
  const objects = [...brokerObjects(login), ...clientObjects(login, [old.authority, login.authority])]
  await cluster.kubectl(['apply', '-f', '-'], toYaml({ apiVersion: 'v1', kind: 'List', items: objects }))
  // A pod that is touched has its files looked at now; otherwise within a minute and a half.
  await cluster.kubectl(['-n', namespace, 'annotate', 'pods', '--all', '--overwrite', `filmgate-test/looked-at=${Date.now()}`])
  await cluster.kubectl(['-n', backends, 'rollout', 'restart', 'statefulset/kafka'])
  await cluster.kubectl(['-n', backends, 'rollout', 'status', 'statefulset/kafka', '--timeout=180s'])
  await eventually('the new certificate', 60_000, () => handshake(cluster, { ...login }))
  return login
}

type Pods = { items: { metadata: { name: string }; status: { containerStatuses?: { restartCount: number }[] } }[] }

/** Every pod of the services, and how often it was started again. */
async function podsOf(cluster: Cluster): Promise<string[]> {
  const { items } = await cluster.get<Pods>(['pods', '-n', namespace, '-l', 'app.kubernetes.io/component=server'])
  return items.map(({ metadata, status }) => `${metadata.name}:${status.containerStatuses?.[0]?.restartCount ?? 0}`).sort()
}

async function noSecretIsLogged(cluster: Cluster, { password }: KafkaLogin): Promise<void> {
  for (const service of services)
    for (const { name } of await readyPods(cluster, service))
      if ((await cluster.kubectl(['-n', namespace, 'logs', name])).includes(password)) throw new Error(`${name} has logged the password`)
}
