import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { type ValueRow, valueRows } from './values-table'

/** The README of a chart: description, installation, and all values with defaults and comments of values.yaml. */
export function chartReadme(folder: string, name: string): string {
  const { description, version } = YAML.parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as { description: string; version: string }
  const rows = valueRows(readFileSync(join(folder, 'values.yaml'), 'utf8')).flatMap(name === 'service' ? ownRow : one => [one])
  return `# Chart ${name} ${version}

<!-- Made from Chart.yaml and values.yaml: bun tools/verify/charts.ts --write -->
${description}

${intros[name] ?? standaloneIntro(name)}

## Values

| value | default | meaning |
|---|---|---|
${rows.map(rowText).join('\n')}
`
}

/** Without the names of the exports, by which the charts of services import the values. */
const ownRow = (row: ValueRow): ValueRow[] => {
  const [, path] = /^exports\.\w+\.(.+)$/.exec(row.path) ?? []
  return path === undefined ? [] : [{ ...row, path }]
}

const umbrellaIntro = `\`\`\`sh
helm install filmgate charts/filmgate -n filmgate -f my-values.yaml --wait && helm test filmgate -n filmgate --logs
\`\`\`

It brings the services and, where it is asked for, the console, the topics of Kafka, alerts and dashboards; Kafka, Postgres, Redis and an object store it only names (\`k8s/README.md\`
has some). Install, upgrade and rollback: \`docs/operations.md\`; whole sets of values: \`examples/\`.`

const standaloneIntro = (
  name: string,
): string => `Part of the chart \`filmgate\`, where its values stand under \`${name}\` and what services share in \`global\`. Alone, with what it needs named:

\`\`\`sh
helm install ${name} charts/${name} -n filmgate -f my-values.yaml --wait
\`\`\`

What it needs at least is in \`ci/alone.yaml\`; the variables of \`config\` are in \`services/${name}/README.md\`. The values that all services have are in
\`charts/service/README.md\`.`

const intros: Record<string, string> = {
  filmgate: umbrellaIntro,
  service: `It renders the charts of the services and has the values that all of them take: alone such as \`affinity\`, in the chart \`filmgate\` such as
\`gateway.affinity\`, or \`global.affinity\` for all services, where the chart \`filmgate\` lists it. Its \`topics\` and \`test\` have those of pods, which
are the values above \`serviceAccount.automountToken\`.`,
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
const rowText = ({ path, fallback, meaning }: ValueRow): string =>
  `| \`${path}\` | ${fallback ? `\`${cell(fallback)}\`` : ''} | ${cell(meaning)} |`
