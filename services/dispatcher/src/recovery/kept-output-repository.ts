import type { Sql } from '@filmgate/kit/database/postgres'

export type KeptOutput = {
  attemptId: string
  provider: string
  providerTaskId: string
  providerModel: string
  echoed: boolean
  key: string
  bytes: number
}

/** The output of a completed task whose retention has not ended. */
export async function findKeptOutput(sql: Sql, taskId: string): Promise<KeptOutput | undefined> {
  const [row] = await sql<KeptOutput[]>`
    select id as "attemptId", provider, provider_task_id as "providerTaskId", provider_model as "providerModel", echoed, output_key as key,
           output_bytes::float8 as bytes
    from attempt
    where task_id = ${taskId} and state = 'completed' and output_expires_at > now() and output_key is not null and provider_task_id is not null
    order by number desc limit 1`
  return row
}
