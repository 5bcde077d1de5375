import type { AlertGroup } from '@filmgate/tools/charts/alert-rules'

/** So many seconds of a rule pass in one second here. */
export const speed = 20

/**
 * Groups of rules whose times are all shorter by `speed`: `for`, intervals, windows, and the two numbers of the templates that are times (the
 * minutes of `counted`, the seconds between recordings of `burn`). Thresholds stay as they are rendered.
 */
export const shortenRules = (groups: AlertGroup[]): AlertGroup[] =>
  groups.map(({ recordings, rules, interval, ...group }) => ({
    ...group,
    ...(interval && { interval: shorter(interval) }),
    recordings: recordings.map(rule => ({ ...rule, expr: shorterIn(rule.expr) })),
    rules: rules.map(rule => ({ ...rule, expr: shorterIn(rule.expr), for: shorter(rule.for) })),
  }))

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const shorter = (duration: string): string => {
  const [, count = '', unit = ''] = /^(\d+)(ms|[smhd])$/.exec(duration) ?? []
  if (!(unit in unitMs)) throw new Error(`a duration of another form: ${duration}`)
  return `${(Number(count) * unitMs[unit as keyof typeof unitMs]) / speed}ms`
}

const shorterIn = (expression: string): string =>
  expression
    .replaceAll(
      /\[([^\]:]+)(?::([^\]]+))?\]/g,
      (_, window: string, step?: string) => `[${shorter(window)}${step ? `:${shorter(step)}` : ''}]`,
    )
    .replaceAll('} / 60 < ', `} / ${60 / speed} < `)
    .replaceAll(' * 30 >= ', ` * ${30 / speed} >= `)
