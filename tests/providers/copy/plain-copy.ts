import { buckets } from '@filmgate/tools/stack/addresses'
import { S3Client } from 'bun'

/**
 * A process that copies what an address gives into the outputs' bucket with Bun's own client of S3, whose settings are in the environment, and looks at none of it: `address key` a line,
 * and its milliseconds a line back.
 */
const store = new S3Client({ bucket: buckets.outputs })

for await (const line of console) {
  const [address = '', key = ''] = line.split(' ')
  // What is left of the last line when its sender ends.
  if (!address) continue
  const startedAt = performance.now()
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  const bytes = await store.write(key, answer)
  const tookMs = performance.now() - startedAt
  const kept = await store.size(key)
  await store.delete(key)
  console.log(JSON.stringify({ bytes, kept, tookMs }))
}
