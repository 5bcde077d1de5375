import { Comparator, type Condition, Measure, type Rule, type Term } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { counted, either } from './compile-field'

/** "duration must be 6": what a condition demands. */
export function describeRequirement({ field, test }: Condition): string {
  switch (test.case) {
    case 'present':
      return test.value ? `${field} is required` : `${field} must be left out`
    case 'oneOf':
      return `${field} must be ${either(test.value.values.map(scalar => scalar.value.value))}`
    case 'range':
      return `${field} must be ${rangeWords(test.value, '')}`
    case 'items':
      return `${field} must have ${rangeWords(test.value, 'item')}`
    case undefined:
      return field
  }
}

/** "reference_image_urls or reference_video_urls must have at least 1 item": what one of several conditions must give. */
export function describeAny(conditions: Condition[]): string {
  const demands = conditions.map(condition => describeRequirement(condition).slice(condition.field.length))
  if (demands.some(demand => demand !== demands[0])) return either(conditions.map(describeRequirement))
  return `${either(conditions.map(condition => condition.field))}${demands[0]}`
}

/** " when resolution is 1080p", or nothing for a rule that always holds. A field that is demanded anyway need not be said to be given. */
export function describeWhen(conditions: Condition[], demanded: string[] = []): string {
  const said = conditions.filter(({ field, test }) => !(test.case === 'present' && demanded.includes(field)))
  return said.length === 0 ? '' : ` when ${said.map(describeState).join(' and ')}`
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

function describeState({ field, test }: Condition): string {
  switch (test.case) {
    case 'present':
      return test.value ? `${field} is given` : `${field} is left out`
    case 'oneOf':
      return `${field} is ${either(test.value.values.map(scalar => scalar.value.value))}`
    case 'range':
      return `${field} is ${rangeWords(test.value, '')}`
    case 'items':
      return `${field} has ${rangeWords(test.value, 'item')}`
    case undefined:
      return field
  }
}

function rangeWords({ min, max }: { min?: bigint; max?: bigint }, word: string): string {
  const amount = (bound: bigint) => (word ? counted(bound, word) : String(bound))
  if (min !== undefined && max !== undefined) return min === max ? amount(min) : `from ${min} to ${amount(max)}`
  return min !== undefined ? `at least ${amount(min)}` : `at most ${amount(max ?? 0n)}`
}
