import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from './cached'
import { needClient } from './package-client'
import { mustRun } from './run'

const kafkaVersion = '4.3.1'

// Without slf4j-simple Kafka has no log at all.
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>filmgate</groupId><artifactId>stack</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${kafkaVersion}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`

/** The folder of Kafka's jars. */
export async function fetchKafka(): Promise<string> {
  const dir = await cached(`kafka-${kafkaVersion}`, async filling => {
    await needClient('maven')
    writeFileSync(join(filling, 'pom.xml'), pom)
    await mustRun(
      `Fetching Kafka ${kafkaVersion}`,
      ['mvn', '-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libs', '-DincludeScope=runtime'],
      { cwd: filling },
    )
  })
  return join(dir, 'libs')
}
