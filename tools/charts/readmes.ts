import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { type ValueRow, valueRows } from './values-table'

/** The README of a chart: description, installation, and all values with defaults and comments of values.yaml. */
export function chartReadme(folder: string, name: string): string {
  const { description, version } = YAML.parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as { description: string; version: string }
  const rows = valueRows(readFileSync(join(folder, 'values.yaml'), 'utf8'))
  return `# Chart ${name} ${version}

<!-- Made from Chart.yaml and values.yaml: bun tools/verify/charts.ts --write -->
${description}

${name === 'filmgate' ? umbrellaIntro : standaloneIntro(name)}

## Values

| value | default | meaning |
|---|---|---|
${rows.map(rowText).join('\n')}
`
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

What it needs at least is in \`ci/alone.yaml\`; the variables of \`config\` are in \`services/${name}/README.md\`.`

const cell = (text: string): string => text.replaceAll('|', '\\|')
const rowText = ({ path, fallback, meaning }: ValueRow): string =>
  `| \`${path}\` | ${fallback ? `\`${cell(fallback)}\`` : ''} | ${cell(meaning)} |`
