import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { fetchJava } from '@filmgate/tools/stack/fetch/java'
import { fetchKafka } from '@filmgate/tools/stack/fetch/kafka'
import { mustRun } from '@filmgate/tools/stack/fetch/run'
import { openInstance } from '@filmgate/tools/stack/instance'
import { spawnChild } from '@filmgate/tools/stack/process/child'
import { jvmOptions } from '@filmgate/tools/stack/servers/ahead-of-time'
import { kafkaPlan } from '@filmgate/tools/stack/servers/kafka'
import { instance as instanceName, settings } from '../settings'
import { until } from '../until'

const readyMsMax = 120_000
export const user = 'filmgate-line'
/** How long a login lasts: kafkajs logs in again ten seconds before its end, so every two. */
const loginMs = 12_000

export type SecureBroker = {
  /** By name and password over TLS, and by a certificate alone. */
  brokers: { sasl: string; certificate: string }
  /** What its clients hold, each in a file: the authority, a stranger's, a certificate of ours with its key. */
  files: { ca: string; strangersCa: string; certificate: string; key: string }
  /** Changes the password of `user` for SCRAM-SHA-512. */
  setPassword(password: string): Promise<void>
  stop(): Promise<void>
}

/** A broker that lets in over TLS, signed by an authority of its own, who has a password or a certificate. */
export async function startSecureBroker(passwords: { scram: string; plain: string }): Promise<SecureBroker> {
  const instance = openInstance(instanceName, settings.portBase)
  const dir = join(instance.dir, 'secure-kafka')
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const port = (offset: number) => settings.portBase + 30 + offset
  const files = writeCertificates(dir)
  const [java, libs] = await Promise.all([fetchJava(), fetchKafka()])
  const scramUsers = ['256', '512'].map(bits => `SCRAM-SHA-${bits}=[name=${user},password=${passwords.scram}]`)
  const properties = propertiesText(port, files, passwords.plain)
  const plan = kafkaPlan({ dir, ports: { kafka: port(0), kafkaController: port(1) } }, java, libs, { properties, scramUsers })
  await plan.prepare?.()
  const child = spawnChild(plan, join(instance.dir, 'logs', 'secure-kafka.log'), () => {})
  await until('a broker with TLS and SASL', plan.ready, readyMsMax)
  const configure = [...jvmOptions(128), '-cp', `${libs}/*`, 'kafka.admin.ConfigCommand']
  return {
    brokers: { sasl: `localhost:${port(2)}`, certificate: `localhost:${port(3)}` },
    files,
    async setPassword(password) {
      const change = ['--alter', '--entity-type', 'users', '--entity-name', user, '--add-config', `SCRAM-SHA-512=[password=${password}]`]
      await mustRun('Changing a password', [java, ...configure, '--bootstrap-server', `127.0.0.1:${port(0)}`, ...change])
    },
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

type Files = SecureBroker['files'] & { broker: string }

function writeCertificates(dir: string): Files {
  const authority = makeCertificate({ names: ['Filmgate test authority'] })
  const broker = makeCertificate({ names: ['localhost'], issuer: authority })
  const ours = makeCertificate({ names: [user], issuer: authority })
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text, { mode: 0o600 })
    return join(dir, name)
  }
  return {
    ca: write('ca.crt', authority.cert),
    strangersCa: write('strangers-ca.crt', makeCertificate({ names: ['A stranger'] }).cert),
    certificate: write('tls.crt', ours.cert),
    key: write('tls.key', ours.key),
    broker: write('broker.pem', broker.key + broker.cert),
  }
}

/** PLAINTEXT stays for the broker itself and for the tool that changes passwords. */
const propertiesText = (port: (offset: number) => number, { broker, ca }: Files, plain: string): string => `
listeners=PLAINTEXT://127.0.0.1:${port(0)},CONTROLLER://127.0.0.1:${port(1)},SASL://127.0.0.1:${port(2)},CERTIFICATE://127.0.0.1:${port(3)}
advertised.listeners=PLAINTEXT://127.0.0.1:${port(0)},SASL://localhost:${port(2)},CERTIFICATE://localhost:${port(3)}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_SSL,CERTIFICATE:SSL
ssl.keystore.type=PEM
ssl.keystore.location=${broker}
ssl.truststore.type=PEM
ssl.truststore.location=${ca}
listener.name.certificate.ssl.client.auth=required
sasl.enabled.mechanisms=SCRAM-SHA-512,SCRAM-SHA-256,PLAIN
listener.name.sasl.connections.max.reauth.ms=${loginMs}
listener.name.sasl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_${user}="${plain}";
`
