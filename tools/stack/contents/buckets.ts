import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { type Addresses, buckets } from '../addresses'

/** Creates what is missing, so that it can run at every start. */
export async function createBuckets({ s3 }: Addresses): Promise<void> {
  const { endpoint, region, ...credentials } = s3
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  try {
    for (const Bucket of Object.values(buckets)) {
      const exists = await client.send(new HeadBucketCommand({ Bucket })).then(
        () => true,
        () => false,
      )
      if (!exists) await client.send(new CreateBucketCommand({ Bucket }))
    }
  } finally {
    client.destroy()
  }
}
