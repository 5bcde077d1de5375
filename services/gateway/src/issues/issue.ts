/** One thing wrong with a body. `path` is empty for the body itself, else like `duration` or `reference_image_urls[2]`. */
export type Issue = { path: string; rule: string; message: string }

/** A body while it is being looked at. */
export type Values = Record<string, unknown>

/** More are not listed: a body of nothing but faults must not be answered with a longer one. */
export const issuesMax = 100
