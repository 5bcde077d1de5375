import type { Values } from '../../issues/issue'
import { sizeOf } from '../../openai/request/sizes'
import { bashWord, pythonLiteral, typescriptLiteral } from './literals'

/** What samples may hold as `{{name}}`. Multi-line ones are written as from the beginning of a line. */
export const placeholders = ['model', 'json', 'ts', 'python', 'cli', 'openai', 'aisdk'] as const
export type Placeholder = (typeof placeholders)[number]
/** What each placeholder becomes for one request. */
export type Filling = Record<Placeholder, string>

/**
 * A request in each language. `json`: the body. `ts`: the same as an object literal. `python`: keyword arguments, each with its comma.
 * `cli`: the arguments of `filmgate generate`. `openai`: arguments of the OpenAI client for Python. `aisdk`: properties of generateVideo.
 */
export function fillingOf(request: Values): Filling {
  const body = withoutDefaultMode(request)
  return {
    model: String(body.model),
    json: JSON.stringify(body, null, 2),
    ts: `{\n${indented(properties(body))}\n}`,
    python: keywords(body),
    cli: cliArguments(body),
    openai: keywords(openAiArguments(body)),
    aisdk: properties(aiSdkOptions(request)),
  }
}

/** A template with its placeholders replaced. Further lines of a value are indented as the line that it begins in. */
export function filled(template: string, filling: Filling): string {
  return piecesOf(template)
    .map(piece => fillPiece(piece, filling))
    .join('')
}

export type Piece = string | { placeholder: Placeholder; indent: string }

/** The texts of a template and the placeholders between them; a name that is none stays text. */
export function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: whole, 1: name = '', index } of template.matchAll(/\{\{([a-z]+)\}\}/g)) {
    if (!isPlaceholder(name)) continue
    const line = template.slice(template.lastIndexOf('\n', index - 1) + 1, index)
    pieces.push(template.slice(end, index), { placeholder: name, indent: /^\s*/.exec(line)?.[0] ?? '' })
    end = index + whole.length
  }
  return [...pieces, template.slice(end)]
}

/** No value has a line break inside of a text, so that its lines may be indented. */
export const fillPiece = (piece: Piece, filling: Filling): string =>
  typeof piece === 'string' ? piece : filling[piece.placeholder].replaceAll('\n', `\n${piece.indent}`)

const isPlaceholder = (name: string): name is Placeholder => placeholders.some(known => known === name)
/** Not by `^`, which also follows U+2028. */
const indented = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`

/** Models with text-to-video have it where a request names no mode. */
function withoutDefaultMode({ mode, ...others }: Values): Values {
  const { model, ...rest } = others
  return mode === undefined || mode === 'text-to-video' ? others : { model, mode, ...rest }
}

const properties = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${typescriptLiteral(value)},`)
    .join('\n')

const keywords = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${pythonLiteral(value)},`)
    .join('\n')

/** A list is an option for each of its items, under the name of one. */
const optionNames: Record<string, string> = { image_url: 'image', end_image_url: 'end-image' }
const optionOf = (field: string): string =>
  `--${
    optionNames[field] ??
    field
      .replace(/_urls$/, '')
      .replace(/_durations$/, '_duration')
      .replaceAll('_', '-')
  }`

function cliArguments({ prompt, model, ...fields }: Values): string {
  // A leading space keeps a dash from being an option. The service trims it.
  const text = String(prompt).replace(/^-/, ' -')
  const options = Object.entries(fields).flatMap(([field, value]) =>
    value === true ? [optionOf(field)] : [value].flat().map(item => `${optionOf(field)} ${bashWord(String(item))}`),
  )
  return [bashWord(text, true), `-m ${bashWord(String(model))}`, ...options].join(' ')
}

/** `seconds` and `size` are OpenAI's own; fields that its client doesn't know go by `extra_body`. */
function openAiArguments({ model, prompt, duration, resolution, aspect_ratio, ...fields }: Values): Values {
  const size = sizeOf({ resolution: String(resolution), aspect_ratio: String(aspect_ratio) })
  const native = {
    ...(!size && resolution !== undefined && { resolution }),
    ...(!size && aspect_ratio !== undefined && { aspect_ratio }),
    ...fields,
  }
  return {
    ...{ model, prompt },
    ...(duration !== undefined && { seconds: String(duration) }),
    ...(size && { size }),
    ...(Object.keys(native).length > 0 && { extra_body: native }),
  }
}

/** The AI SDK's own settings where it has them in the same words; the rest as native fields. */
function aiSdkOptions({ model: _, prompt, duration, aspect_ratio, mode, ...fields }: Values): Values {
  const native = { ...(mode !== 'text-to-video' && { mode }), ...fields }
  return {
    prompt,
    ...(duration !== undefined && { duration }),
    ...(aspect_ratio !== undefined && { aspectRatio: aspect_ratio }),
    ...(Object.keys(native).length > 0 && { providerOptions: { filmgate: native } }),
  }
}
