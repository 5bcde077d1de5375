import { type Field, FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { Issue } from '../issues/issue'
import { counted, either, show } from '../issues/wording'
import { createMediaUrlCheck } from '../rules/media-url'
import { isVisible } from '../rules/visible-text'

/** Looks at a value that is present; adds what is wrong with it and returns it as it is sent on. */
export type CheckValue = (value: unknown, path: string, issues: Issue[]) => unknown

export function compileField(field: Field): CheckValue {
  switch (field.kind) {
    case FieldKind.TEXT:
      return checkText(field)
    case FieldKind.INTEGER:
      return field.integers.length > 0 ? checkOneOf(field.integers.map(Number)) : checkInteger(Number(field.min), Number(field.max))
    case FieldKind.BOOLEAN:
      return checkBoolean
    case FieldKind.CHOICE:
      return checkOneOf(field.choices)
    case FieldKind.URL:
      return checkUrl(field)
    case FieldKind.URL_LIST:
      return checkList(field, checkUrl(field))
    case FieldKind.SECONDS_LIST:
      return checkList(field, checkInteger(Number(field.min), Number(field.max)))
    case FieldKind.UNSPECIFIED:
      throw new Error(`field ${field.name} has no kind`)
  }
}

function checkText(field: Field): CheckValue {
  const min = Number(field.min)
  const max = Number(field.max)
  return (value, path, issues) => {
    if (typeof value !== 'string') return void issues.push({ path, rule: 'type', message: `${path} must be text, and is ${show(value)}` })
    const text = value.trim()
    // A code point is one or two UTF-16 units, so most texts need no counting.
    const length = text.length <= max && text.length >= 2 * min ? text.length : codePoints(text)
    if (length < min)
      issues.push({ path, rule: 'min_length', message: `${path} must have at least ${counted(min, 'character')}, and has ${length}` })
    else if (!isVisible(text)) issues.push({ path, rule: 'min_length', message: `${path} must have a visible character, and has none` })
    if (length > max)
      issues.push({ path, rule: 'max_length', message: `${path} must have at most ${counted(max, 'character')}, and has ${length}` })
    if (!text.isWellFormed() || text.includes('\0'))
      issues.push({ path, rule: 'well_formed', message: `${path} must be well-formed Unicode without the character U+0000` })
    return text
  }
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const checkInteger =
  (min: number, max: number): CheckValue =>
  (value, path, issues) => {
    if (!Number.isInteger(value))
      return void issues.push({ path, rule: 'type', message: `${path} must be a whole number, and is ${show(value)}` })
    const integer = value as number
    if (integer < min || integer > max) {
      const rule = integer < min ? 'minimum' : 'maximum'
      issues.push({ path, rule, message: `${path} must be from ${min} to ${max}, and is ${integer}` })
    }
    // JSON has -0, the services behind the gateway do not: it becomes 0.
    return integer + 0
  }

const checkBoolean: CheckValue = (value, path, issues) => {
  if (typeof value === 'boolean') return value
  issues.push({ path, rule: 'type', message: `${path} must be true or false, and is ${show(value)}` })
}

function checkOneOf(values: (string | number)[]): CheckValue {
  const legal = new Set<unknown>(values)
  return (value, path, issues) => {
    if (legal.has(value)) return value
    issues.push({ path, rule: 'enum', message: `${path} must be ${either(values)}, and is ${show(value)}` })
  }
}

function checkUrl(field: Field): CheckValue {
  const max = Number(field.max)
  const faultOf = createMediaUrlCheck(field)
  return (value, path, issues) => {
    if (typeof value !== 'string') return void issues.push({ path, rule: 'type', message: `${path} must be a URL, and is ${show(value)}` })
    if (value.length > max)
      return void issues.push({ path, rule: 'max_length', message: `${path} must have at most ${max} characters, and has ${value.length}` })
    const fault = faultOf(value)
    if (fault) issues.push({ path, rule: fault.rule, message: `${path} ${fault.words}` })
    return value
  }
}

function checkList({ itemsMin, itemsMax }: Field, checkItem: CheckValue): CheckValue {
  return (value, path, issues) => {
    if (!Array.isArray(value)) return void issues.push({ path, rule: 'type', message: `${path} must be a list, and is ${show(value)}` })
    if (value.length < itemsMin)
      issues.push({ path, rule: 'min_items', message: `${path} must have at least ${counted(itemsMin, 'item')}, and has ${value.length}` })
    if (value.length > itemsMax)
      issues.push({ path, rule: 'max_items', message: `${path} must have at most ${counted(itemsMax, 'item')}, and has ${value.length}` })
    // Items past the maximum are not checked: the list may be as long as the body.
    return value.slice(0, itemsMax).map((item, index) => checkItem(item, `${path}[${index}]`, issues))
  }
}
