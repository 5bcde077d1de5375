/** Of ids in their order: one, or all after `after` up to `through`. `since`: only rows of grants and debits made since then. */
export type IdRange = { id?: string; after?: string; through?: string; since?: Date }

/** One page of a service's rows, in the order of their ids; `limit` rows unless it is the last. */
export type ListPage<Row> = (range: IdRange, limit: number) => Promise<Row[]>

/** What two services say differently of one thing. `act`: the next thing to do. */
export type Difference = { check: string; subject: string; detail: string; act: string }

/** Where a service lost rows, as by a restore: docs/restore.md. */
export const recoverAct = 'ops recover --since <moment>, in recovery mode'

/** `until`: whatever changed later may still be on its way to the other service. */
export type Period = { since: Date; until: Date }

/**
 * Two lists of the same things. The left one is read first, so that what is made there first is found on the right.
 * Both order the ids alike: lower-case letters and digits as every collation does, other ids by their bytes.
 */
export type Comparison<Left, Right> = {
  left: ListPage<Left>
  right: ListPage<Right>
  idOf(row: Left | Right): string
  rangesOf(period: Period): IdRange[]
  differences(pair: { left?: Left | undefined; right?: Right | undefined }, period: Period): Difference[]
}

/** Whether a row of that time is old enough to be compared. */
export const isSettled = (at: string | null, { until }: Period): boolean => at === null || new Date(at) <= until
