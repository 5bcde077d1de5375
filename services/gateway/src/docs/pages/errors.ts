import { type Reason, reasons } from '../../errors'
import type { Schema } from '../../rules/json-schema'
import { anchorOf } from '../markdown/anchors'
import { blocks, bullets, codeSpan, prose, table } from '../markdown/write'
import { publicCodes, taskCodes, taskOnlyCodes } from '../open-api/error-codes'
import { detailsOf } from '../open-api/error-details'
import { type DocPage, linkTo } from '../site/doc-page'
import { adviceOf } from './error-advice'
import { type Schemas, typeWords } from './schema-words'

/** The guide about errors, and behind it the closed list of codes. */
export const errorsPage = (guide: DocPage, schemas: () => Schemas): DocPage => ({
  ...guide,
  section: 'Reference',
  markdown() {
    const { properties } = schemas().ErrorDetails as { properties: Record<string, Schema> }
    const statuses = [...Map.groupBy(publicCodes, code => reasons[code][0])].sort(([a], [b]) => a - b)
    return blocks(
      guide.markdown().trim(),
      '## Every code',
      `The closed list. Answers are an ${linkTo('ErrorResponse', '/docs/objects', 'errorresponse')}. A failed task has one of ${taskCodes.map(code => codeSpan(code)).join(', ')}.`,
      table(
        ['Status', 'Codes'],
        [...statuses, ['task', Object.keys(taskOnlyCodes)] as const].map(([status, codes]) => [
          status,
          codes.map(code => `[\`${code}\`](#${anchorOf(code)})`).join(', '),
        ]),
      ),
      ...statuses.flatMap(([status, codes]) => codes.map(code => codeText(status, code, properties))),
      ...Object.entries(taskOnlyCodes).map(([code, words]) => blocks(`### ${code}`, `Only of a failed task. ${words}`)),
    )
  },
})

function codeText(status: number, code: Reason, properties: Record<string, Schema>): string {
  const { always, sometimes = [] } = detailsOf[code] ?? { always: [] }
  const detail = (name: string, isSure: boolean) => {
    const schema = properties[name] ?? {}
    const [meaning = ''] = String(schema.description ?? '').split(' With `')
    return `\`details.${name}\`${isSure ? '' : ', where it is known'} (${typeWords(schema)}): ${prose(meaning)}`
  }
  const advice = adviceOf[code]
  return blocks(
    `### ${code}`,
    `**${status}** ${prose(reasons[code][1])}`,
    advice && `*What to do:* ${advice}`,
    always.length + sometimes.length > 0 &&
      bullets([...always.map(name => detail(name, true)), ...sometimes.map(name => detail(name, false))]),
  )
}
