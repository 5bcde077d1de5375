/**
 * What a video costs with two polls of its task; docs/capacity.md says how each was measured. Processor: milliseconds of one core. Bytes: of
 * rows with their indexes, of WAL with its images of pages, of messages before they are copied to other brokers.
 */
export const measured = {
  cpuMs: { gateway: 25, ledger: 11, 'media-probe': 180, dispatcher: 25, webhooks: 2.9, console: 0, postgres: 30, kafka: 11, redis: 2 },
  diskBytes: { gateway: 3_360, ledger: 1_750, dispatcher: 1_360, webhooks: 1_580 },
  walBytes: 37_300,
  topicBytes: 4_290,
}

/** What is not measured but set, or assumed where it depends on providers. */
const requestsPerVideo = 4
const generationSeconds = 60
const outputBytes = 10_000_000
const copySeconds = 1
const copiesMax = 32
const busyMax = 0.6
const podsMin = 2
const partitionsMin = 12
const entriesPerVideo = 4
const rowsToPartition = 1e8
const days = { tasks: 395, deliveries: 30, topics: 7, outputs: 30 }
const kafkaCopies = 3
/** Connections of a pod and of KEDA, as charts/filmgate/templates/_connections.tpl counts them; each service has two more. */
export const poolMax = { gateway: 16, ledger: 8, 'media-probe': 12, dispatcher: 8, console: 12, webhooks: 12 }
const scaledByKeda: readonly string[] = ['media-probe', 'dispatcher']
const surge = 1

const daySeconds = 86_400
type Service = keyof typeof poolMax
type Row = { quantity: string; formula: string; of: (videosPerSecond: number) => number; unit?: 'GB' | 'TB' }

const podsOf = (service: Service) => (videos: number) => {
  const byProcessor = (videos * measured.cpuMs[service]) / 1_000 / busyMax
  const byCopies = service === 'dispatcher' ? (videos * copySeconds) / copiesMax / busyMax : 0
  return Math.max(podsMin, Math.ceil(byProcessor), Math.ceil(byCopies))
}
const services = Object.keys(poolMax) as Service[]
const connectionsOf = (videos: number) =>
  services.reduce((sum, service) => {
    const queries = scaledByKeda.includes(service) ? 1 : 0
    return sum + (podsOf(service)(videos) + surge) * poolMax[service] + 2 + queries
  }, 0)
/** Posters, which most pods of media-probe are for, are jobs of its database: they need no partition. */
const consumers = ['ledger', 'dispatcher'] as const
const partitionsOf = (videos: number) =>
  Math.ceil((2 * Math.max(partitionsMin / 2, ...consumers.map(service => podsOf(service)(videos)))) / partitionsMin) * partitionsMin
const aDay = (bytes: number) => (videos: number) => videos * daySeconds * bytes

const rows: Row[] = [
  { quantity: 'videos a second', formula: `requests / ${requestsPerVideo}`, of: videos => videos },
  { quantity: 'tasks in flight', formula: `videos/s × ${generationSeconds} s`, of: videos => videos * generationSeconds },
  ...services.map(service => ({
    quantity: `pods of ${service}`,
    formula: `videos/s × ${measured.cpuMs[service]} ms / ${busyMax}${service === 'dispatcher' ? `, or × ${copySeconds} s / ${copiesMax} / ${busyMax}` : ''}; at least ${podsMin}`,
    of: podsOf(service),
  })),
  ...(['postgres', 'kafka', 'redis'] as const).map(server => ({
    quantity: `busy cores of ${server}`,
    formula: `videos/s × ${measured.cpuMs[server]} ms`,
    of: (videos: number) => (videos * measured.cpuMs[server]) / 1_000,
  })),
  { quantity: 'partitions of each topic', formula: `twice the pods of a consumer, in steps of ${partitionsMin}`, of: partitionsOf },
  { quantity: 'connections to Postgres', formula: `(pods + ${surge}) × pool + 2, KEDA's 1`, of: connectionsOf },
  ...(['gateway', 'ledger', 'dispatcher', 'webhooks'] as const).map(database => ({
    quantity: `disk of ${database} a day`,
    formula: `videos × ${measured.diskBytes[database]} B`,
    of: aDay(measured.diskBytes[database]),
    unit: 'GB' as const,
  })),
  { quantity: 'WAL a day', formula: `videos × ${measured.walBytes} B`, of: aDay(measured.walBytes), unit: 'GB' },
  {
    quantity: `topics, kept ${days.topics} days`,
    formula: `videos × ${measured.topicBytes} B × ${kafkaCopies} copies × ${days.topics}`,
    of: aDay(measured.topicBytes * kafkaCopies * days.topics),
    unit: 'GB',
  },
  { quantity: 'outputs a day', formula: `videos × ${outputBytes / 1e6} MB`, of: aDay(outputBytes), unit: 'TB' },
  { quantity: `outputs, kept ${days.outputs} days`, formula: `× ${days.outputs}`, of: aDay(outputBytes * days.outputs), unit: 'TB' },
  {
    quantity: `gateway's and dispatcher's rows, kept ${days.tasks} days`,
    formula: `disk a day × ${days.tasks}`,
    of: aDay((measured.diskBytes.gateway + measured.diskBytes.dispatcher) * days.tasks),
    unit: 'TB',
  },
  {
    quantity: `ledger's rows, a year of them`,
    formula: 'disk a day × 365; never deleted',
    of: aDay(measured.diskBytes.ledger * 365),
    unit: 'TB',
  },
  {
    quantity: 'days until `ledger.entry` has 10⁸ rows',
    formula: `10⁸ / (videos a day × ${entriesPerVideo})`,
    of: videos => rowsToPartition / (videos * daySeconds * entriesPerVideo),
  },
]

/** A table in Markdown: what these constant rates of requests a second need. */
export function capacityTable(requestsPerSecond: number[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const shown = ({ of, unit }: Row, rate: number) => {
    const value = of(rate / requestsPerVideo) / (unit === 'TB' ? 1e12 : unit === 'GB' ? 1e9 : 1)
    const rounded = value >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)))
    return unit ? `${rounded} ${unit}` : rounded
  }
  return [
    line(['', 'formula', ...requestsPerSecond.map(rate => `${rate.toLocaleString('en')} requests/s`)]),
    line(['---', '---', ...requestsPerSecond.map(() => '---')]),
    ...rows.map(row => line([row.quantity, row.formula, ...requestsPerSecond.map(rate => shown(row, rate))])),
  ].join('\n')
}
