import { join } from 'node:path'
import { createTopics, deleteTopics, openHop } from './bench-kafka'
import { median } from './row'

const samples = 400
const warmUp = 200

/**
 * The round trip of one bare Kafka hop, in milliseconds, as the mark's 1.3 ms were measured: over two topics and two processes, one
 * message in flight, sent with acks=all. Nothing of Filmgate is in between.
 */
export async function measureKafkaHop(): Promise<number> {
  const id = crypto.randomUUID()
  const topics = [`bench-there-${id}`, `bench-back-${id}`] as const
  const [there, back] = topics
  await createTopics([...topics], 1)
  const echo = Bun.spawn([process.execPath, join(import.meta.dir, 'kafka-echo.ts'), there, back], {
    env: { ...process.env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let arrived = () => {}
  const hop = await openHop(back, there, () => arrived())
  await echo.stdout.getReader().read()
  const tripsMs: number[] = []
  for (let trip = 0; trip < warmUp + samples; trip++) {
    const returned = new Promise<void>(resolve => {
      arrived = resolve
    })
    const sentAt = performance.now()
    await Promise.all([hop.send('x'.repeat(500)), returned])
    if (trip >= warmUp) tripsMs.push(performance.now() - sentAt)
  }
  echo.stdin.end()
  await Promise.all([hop.close(), echo.exited])
  await deleteTopics([...topics])
  return median(tripsMs)
}
