import { join } from 'node:path'
import { root } from '../stack/instance'
import { chartReadme } from './readmes'
import { serviceCharts, serviceSchema, umbrellaSchema } from './values-schema'

export const chartsDir = join(root, 'charts')

/** The expected values.schema.json files by path. */
export function expectedSchemas(): Map<string, string> {
  const print = (schema: unknown) => `${JSON.stringify(schema, null, 2)}\n`
  return new Map([
    ...serviceCharts.map(chart => [join(chartsDir, chart, 'values.schema.json'), print(serviceSchema(chart))] as const),
    [join(chartsDir, 'filmgate/values.schema.json'), print(umbrellaSchema())] as const,
  ])
}

/** The expected chart READMEs by path. */
export const expectedReadmes = (): Map<string, string> =>
  new Map(
    [...serviceCharts, 'service', 'filmgate'].map(name => [join(chartsDir, name, 'README.md'), chartReadme(join(chartsDir, name), name)]),
  )
