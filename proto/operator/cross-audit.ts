import { type Static, Type } from '@sinclair/typebox'
import { number, text, textOrNull, time, timeOrNull } from './answer'

/** A difference between two services. `act`: the next thing to do. `differences` of the run also counts those that are not listed. */
export const CrossAuditFinding = Type.Object({
  ...{ comparison: text, check: text, subject: text, detail: text, act: text, found_at: time },
})
export type CrossAuditFinding = Static<typeof CrossAuditFinding>

export const CrossAuditRun = Type.Object({
  ...{ id: text, state: text, requested_by: textOrNull, since: time, until: time, fault: textOrNull },
  ...{ differences: number, findings: Type.Array(CrossAuditFinding), created_at: time, ended_at: timeOrNull },
  compared: Type.Array(Type.Object({ comparison: text, rows: number, differences: number })),
})
export type CrossAuditRun = Static<typeof CrossAuditRun>
