import type { Api } from '../support/client/api'

export type UsageRecord = { task_id: string | null; kind: string; credits: number; billed_seconds: number }

/** All usage records of the account, page by page. */
export async function usageRecords(api: Api): Promise<UsageRecord[]> {
  const records: UsageRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: UsageRecord[]; next_cursor: string | null } = JSON.parse(
      (await api.get(`/usage?limit=500${cursor && `&cursor=${cursor}`}`)).text,
    )
    records.push(...page.data)
    cursor = page.next_cursor
  }
  return records
}
