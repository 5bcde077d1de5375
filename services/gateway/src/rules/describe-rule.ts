import { Comparator, type Condition, Measure, type Rule, type Term } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { counted, either } from '../issues/wording'
import { readCondition } from './condition-kinds'

/** "duration must be 6": what a condition demands. */
export const describeRequirement = (condition: Condition): string => `${condition.field} ${readCondition(condition).demand}`

/** "reference_image_urls or reference_video_urls must have at least 1 item": what one of several conditions must give. */
export function describeAny(conditions: Condition[]): string {
  const demands = conditions.map(condition => readCondition(condition).demand)
  if (demands.some(demand => demand !== demands[0])) return either(conditions.map(describeRequirement))
  return `${either(conditions.map(condition => condition.field))} ${demands[0]}`
}

/** " when resolution is 1080p", or nothing for a rule that always holds. That a field is given goes without saying where it is demanded. */
export function describeWhen(conditions: Condition[], demanded: string[] = []): string {
  const states = conditions.flatMap(condition => {
    const { presence, state } = readCondition(condition)
    return presence !== undefined && demanded.includes(condition.field) ? [] : [`${condition.field} ${state}`]
  })
  return states.length === 0 ? '' : ` when ${states.join(' and ')}`
}

/** "the sum of reference_video_durations must be at most 15, and is 17"; without `is` the rule itself. */
export function describeComparison(rule: Pick<Rule, 'compare'>, bound: number, is?: number): string {
  const { left = [], right = [], comparator } = rule.compare ?? {}
  const atMost = comparator === Comparator.EQUAL ? '' : 'at most '
  const counts = left[0]?.measure === Measure.COUNT
  if (counts) {
    const together = left.length > 1 ? ' together' : ''
    const subject = either(
      left.map(term => term.field),
      'and',
    )
    const demand =
      right.length === 0
        ? `${atMost}${counted(bound, 'item')}${together}`
        : `as many items as ${right.map(term => term.field).join(' and ')}`
    return `${subject} must have ${demand}${is === undefined ? '' : `, and ${together ? 'have' : 'has'} ${is}`}`
  }
  const other = right.map(termWords).join(' plus ')
  const demand = right.length === 0 ? String(bound) : is === undefined ? other : `${bound} (${other})`
  return `${left.map(termWords).join(' plus ')} must be ${atMost}${demand}${is === undefined ? '' : `, and is ${is}`}`
}

const termWords = ({ measure, field }: Term): string => (measure === Measure.SUM ? `the sum of ${field}` : field)
