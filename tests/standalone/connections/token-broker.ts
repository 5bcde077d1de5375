import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '@filmgate/kit/testing/certificate'
import { fetchJava } from '@filmgate/tools/stack/fetch/java'
import { fetchKafka } from '@filmgate/tools/stack/fetch/kafka'
import { spawnChild } from '@filmgate/tools/stack/process/child'
import { kafkaPlan } from '@filmgate/tools/stack/servers/kafka'
import { freePort } from '../../support/servers/program'
import { until } from '../../support/until'

const readyMsMax = 120_000
const oauth = 'org.apache.kafka.common.security.oauthbearer'

export type TokenBroker = { address: string; stop(): Promise<void> }

/** A broker that lets in over TLS whoever has a token of the issuer, for as long as that lasts. */
export async function startTokenBroker(dir: string, jwksUrl: string, audience: string, { cert, key }: Certificate): Promise<TokenBroker> {
  const [kafka, kafkaController, port] = [freePort(), freePort(), freePort()]
  const pem = join(dir, 'broker.pem')
  writeFileSync(pem, key + cert, { mode: 0o600 })
  const [java, libs] = await Promise.all([fetchJava(), fetchKafka()])
  const properties = `
listeners=PLAINTEXT://127.0.0.1:${kafka},CONTROLLER://127.0.0.1:${kafkaController},TOKENS://127.0.0.1:${port}
advertised.listeners=PLAINTEXT://127.0.0.1:${kafka},TOKENS://localhost:${port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,TOKENS:SASL_SSL
ssl.keystore.type=PEM
ssl.keystore.location=${pem}
listener.name.tokens.sasl.enabled.mechanisms=OAUTHBEARER
listener.name.tokens.connections.max.reauth.ms=3600000
listener.name.tokens.oauthbearer.connections.max.reauth.ms=3600000
listener.name.tokens.oauthbearer.sasl.jaas.config=${oauth}.OAuthBearerLoginModule required;
listener.name.tokens.oauthbearer.sasl.server.callback.handler.class=${oauth}.OAuthBearerValidatorCallbackHandler
listener.name.tokens.sasl.oauthbearer.jwks.endpoint.url=${jwksUrl}
listener.name.tokens.sasl.oauthbearer.expected.audience=${audience}
listener.name.tokens.sasl.oauthbearer.clock.skew.seconds=0
`
  const plan = kafkaPlan({ dir, ports: { kafka, kafkaController } }, java, libs, { properties })
  await plan.prepare?.()
  // Brokers fetch keys from those addresses alone that they are started with.
  const command = plan.command.toSpliced(1, 0, `-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${jwksUrl}`)
  const child = spawnChild({ ...plan, command }, join(dir, 'kafka.log'), () => {})
  await until('a broker with OAUTHBEARER', plan.ready, readyMsMax)
  return {
    address: `localhost:${port}`,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
