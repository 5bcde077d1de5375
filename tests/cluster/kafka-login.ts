import { type Certificate, makeCertificate } from '@filmgate/kit/testing/certificate'
import type { Cluster } from './cluster'
import { backends, namespace } from './cluster'

export const kafkaUser = 'filmgate-line'
const brokerName = `filmgate-kafka-bootstrap.${backends}.svc`

/** What the brokers and the product hold of each other: an authority's certificate, the broker's that it has signed, a password. */
export type KafkaLogin = { authority: string; broker: Certificate; password: string }

export function makeKafkaLogin(): KafkaLogin {
  const authority = makeCertificate({ names: ['Filmgate cluster test'] })
  const broker = makeCertificate({ names: [brokerName], issuer: authority })
  return { authority: authority.cert, broker, password: `cluster-test-kafka-${crypto.randomUUID()}` }
}

/** The one that brokers of an earlier run were started with; nothing where there are none. */
export async function findKafkaLogin(cluster: Pick<Cluster, 'kubectl'>): Promise<KafkaLogin | undefined> {
  const find = async (kind: string, space: string, name: string): Promise<Record<string, string> | undefined> => {
    const found = await cluster.kubectl(['get', kind, name, '-n', space, '--ignore-not-found', '-o', 'json'])
    return found.trim() ? JSON.parse(found).data : undefined
  }
  const [tls, user, ca] = await Promise.all([
    find('secret', backends, 'filmgate-kafka-tls'),
    find('secret', backends, 'filmgate-kafka-user'),
    find('configmap', namespace, 'filmgate-kafka-ca'),
  ])
  if (!tls || !user || !ca) return undefined
  const text = (encoded = '') => Buffer.from(encoded, 'base64').toString()
  const broker = { cert: text(tls['tls.crt']), key: text(tls['tls.key']) }
  return { authority: ca['ca.crt'] ?? '', broker, password: text(user.password) }
}

const object = (kind: 'Secret' | 'ConfigMap', space: string, name: string, text: Record<string, string>) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: space },
  ...(kind === 'Secret' ? { stringData: text } : { data: text }),
})

/** Of the brokers: their certificate, and the first user. */
export const brokerObjects = ({ broker, password }: KafkaLogin) => [
  object('Secret', backends, 'filmgate-kafka-tls', { 'tls.crt': broker.cert, 'tls.key': broker.key }),
  object('Secret', backends, 'filmgate-kafka-user', { username: kafkaUser, password }),
]

/** Of the product: who it is, and whom it trusts. */
export const clientObjects = ({ password }: KafkaLogin, authorities: string[]) => [
  object('Secret', namespace, 'filmgate-kafka', { username: kafkaUser, password }),
  object('ConfigMap', namespace, 'filmgate-kafka-ca', { 'ca.crt': authorities.join('') }),
]

/** The chart's values that say so. */
export const kafkaValues = {
  tls: { enabled: true, ca: { existingConfigMap: 'filmgate-kafka-ca' } },
  sasl: { mechanism: 'scram-sha-512', existingSecret: 'filmgate-kafka' },
}
