/** The upper bound of the highest bucket of a histogram that something fell into; Infinity where it fell behind the last. */
export function highestBucket(metrics: string, name: string): number {
  const buckets = metrics
    .split('\n')
    .map(line => new RegExp(`^${name}_bucket\\{.*le="([^"]+)"\\} (\\d+)`).exec(line))
    .filter(match => match !== null)
    .map(([, bound, count]) => ({ bound: bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), count: Number(count) }))
  const all = Math.max(0, ...buckets.map(({ count }) => count))
  return all === 0 ? 0 : Math.min(...buckets.filter(({ count }) => count === all).map(({ bound }) => bound))
}
