/** One clock for all processes of a machine, in milliseconds. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1_000_000
