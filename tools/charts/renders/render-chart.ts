import { join } from 'node:path'
import { helm } from '../helm'
import { chartsDir } from '../write-schemas'

type RenderedObject = {
  kind: string
  metadata: { name: string; annotations: Record<string, string> }
  spec: object
  data: Record<string, string>
}

/** Renders a chart with its example values and these settings; `failure` is helm's message if it refuses. */
export async function renderChart(chart: string, set: Record<string, unknown> = {}) {
  const values = chart === 'filmgate' ? 'examples/default/values.yaml' : 'ci/alone.yaml'
  const settings = Object.entries(set).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`])
  const folder = join(chartsDir, chart)
  const { ok, output } = await helm(['template', 'filmgate', folder, '-n', 'filmgate', '-f', join(folder, values), ...settings])
  const manifests = ok ? ([Bun.YAML.parse(output)].flat() as (RenderedObject | null)[]).filter(one => one !== null) : []
  /** The only manifest of this kind, or of this kind and name. */
  const one = (kind: string, name?: string) => {
    const found = manifests.filter(each => each.kind === kind && (name === undefined || each.metadata.name === name))
    if (found.length !== 1) throw new Error(`${found.length} of ${kind} ${name ?? ''} are rendered${ok ? '' : `: ${output}`}`)
    return found[0] as RenderedObject
  }
  return { one, failure: ok ? undefined : output }
}
