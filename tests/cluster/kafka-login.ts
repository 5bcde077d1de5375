import { type Certificate, makeCertificate } from '@filmgate/kit/testing/certificate'
import { backends, namespace } from './names'

export const kafkaUser = 'filmgate-line'
const brokerName = `filmgate-kafka-bootstrap.${backends}.svc`

/** What the brokers and the product hold of each other: an authority, a certificate of it for the broker, a password. */
export type KafkaLogin = { authority: Certificate; broker: Certificate; password: string }

export function makeKafkaLogin(turn: string): KafkaLogin {
  const authority = makeCertificate({ names: [`Filmgate cluster test ${turn}`] })
  return { authority, broker: makeCertificate({ names: [brokerName], issuer: authority }), password: `cluster-test-kafka-${turn}` }
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
export const clientObjects = ({ password }: KafkaLogin, authorities: Certificate[]) => [
  object('Secret', namespace, 'filmgate-kafka', { username: kafkaUser, password }),
  object('ConfigMap', namespace, 'filmgate-kafka-ca', { 'ca.crt': authorities.map(({ cert }) => cert).join('') }),
]

/** The chart's values that say so. */
export const kafkaValues = {
  tls: { enabled: true, ca: { existingConfigMap: 'filmgate-kafka-ca' } },
  sasl: { mechanism: 'scram-sha-512', existingSecret: 'filmgate-kafka' },
}
