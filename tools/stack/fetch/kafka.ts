import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from './cached'
import { fetchPinned } from './fetch-pinned'
import { ensureClient } from './package-client'

const kafkaVersion = '4.3.1'

// Without slf4j-simple Kafka has no log at all.
const pomOf = (version: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>filmgate</groupId><artifactId>stack</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`

/** The folder of Kafka's jars. */
export async function fetchKafka(version = kafkaVersion): Promise<string> {
  const dir = await cached(`kafka-${version}`, async filling => {
    await ensureClient('maven')
    writeFileSync(join(filling, 'pom.xml'), pomOf(version))
    await fetchPinned(
      {
        pin: `org.apache.kafka:kafka_2.13:${version}`,
        pinnedIn: 'tools/stack/fetch/kafka.ts',
        instead: 'name brokers of your own in FILMGATE_KAFKA_BROKERS',
      },
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libs', '-DincludeScope=runtime'],
      { cwd: filling },
    )
  })
  return join(dir, 'libs')
}
