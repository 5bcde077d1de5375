/** A series in an expression: its metric and the labels of its selector. */
export type NamedSeries = { metric: string; labels: string[] }

const selector = /([a-z_][a-z0-9_:]*)\{([^}]*)\}/g
const grouping = /\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g

/** The series that an expression reads. All have a selector with the namespace. */
export const namedSeries = (expr: string): NamedSeries[] =>
  [...expr.matchAll(selector)].map(([, metric = '', inside = '']) => ({
    metric,
    labels: [...inside.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }))

/** The labels that an expression groups or joins by. */
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

/** The labels that Prometheus adds to all series of a target. */
export const targetLabels: ReadonlySet<string> = new Set(['namespace', 'job', 'instance', 'pod', 'service', 'endpoint', 'container'])
