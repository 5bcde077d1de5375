import { uploadUrlOf } from '@filmgate/kit/upload-url'
import { addressesOf, buckets } from '@filmgate/tools/stack/addresses'
import { openInstance } from '@filmgate/tools/stack/instance'
import { S3Client } from 'bun'
import { instance, settings } from '../settings'

/** The managed copies of a task's inputs, by their keys; no client can list them. */
export async function inputsOf(taskId: string): Promise<string[]> {
  const { s3 } = addressesOf(openInstance(instance, settings.portBase))
  const client = new S3Client({ ...s3, bucket: buckets.inputs })
  const { contents = [] } = await client.list({ prefix: `inputs/${taskId}/` })
  return contents.map(({ key }) => key)
}

/** Puts a file where the console's people upload to; returns the URL that a request names it by. */
export async function upload(accountId: string, bytes: Uint8Array, ending: string): Promise<string> {
  const { s3 } = addressesOf(openInstance(instance, settings.portBase))
  const key = `${accountId}/${crypto.randomUUID().replaceAll('-', '').slice(0, 22)}.${ending}`
  await new S3Client({ ...s3, bucket: buckets.uploads }).write(key, bytes)
  return uploadUrlOf(key)
}
