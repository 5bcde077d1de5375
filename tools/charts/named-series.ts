/** A series as an expression names it: its metric, and the labels by which it is chosen. */
export type NamedSeries = { metric: string; labels: string[] }

const selector = /\b([a-z_][a-z0-9_]*)\{([^}]*)\}/g
const grouping = /\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g

/** The series an expression reads. Every one of ours has a selector, because the namespace stands in it. */
export const namedSeries = (expr: string): NamedSeries[] =>
  [...expr.matchAll(selector)].map(([, metric = '', inside = '']) => ({
    metric,
    labels: [...inside.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }))

/** The labels by which an expression groups and joins. */
export const groupedLabels = (expr: string): string[] => [
  ...new Set(
    [...expr.matchAll(grouping)].flatMap(([, inside = '']) =>
      inside
        .split(',')
        .map(label => label.trim())
        .filter(Boolean),
    ),
  ),
]

/** What Prometheus itself puts on every series of a target. */
export const targetLabels: ReadonlySet<string> = new Set(['namespace', 'job', 'instance', 'pod', 'service', 'endpoint', 'container'])
