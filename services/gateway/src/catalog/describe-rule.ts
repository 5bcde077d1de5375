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

/** "reference_video_durations together must be at most 15, and are 17". */
export function describeComparison(rule: Pick<Rule, 'compare'>, bound: number, is: number): string {
  const { left = [], right = [], comparator } = rule.compare ?? {}
  const measured = left[0]?.measure
  const subject =
    measured === Measure.COUNT
      ? either(
          left.map(term => term.field),
          'and',
        )
      : left.map(termWords).join(' plus ')
  const limit = comparator === Comparator.EQUAL ? '' : 'at most '
  if (measured === Measure.COUNT) {
    const of = right.length > 0 ? ` (one for each of ${right.map(term => term.field).join(' and ')})` : ''
    return `${subject} must have ${limit}${counted(bound, 'item')}${left.length > 1 ? ' together' : ''}${of}, and ${left.length > 1 ? 'have' : 'has'} ${is}`
  }
  const of = right.length > 0 ? ` (${right.map(termWords).join(' plus ')})` : ''
  return `${subject} must be ${limit}${bound}${of}, and is ${is}`
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
