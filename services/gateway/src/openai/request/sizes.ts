import type { ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { either } from '../../issues/wording'

export type Frame = { resolution: string; aspect_ratio?: string }

/** The shorter side of a resolution that doesn't name it, in pixels. */
const namedSides: Record<string, number> = { hd: 720, fhd: 1080, '2k': 1440, '4k': 2160 }
/** 854x480 and 1366x768 are 16:9 as far as whole pixels go. */
const ratioTolerance = 0.005

/** Resolution and ratio of a size such as `1280x720`, or of a resolution's own name; or what the mode has instead. */
export function frameOf(mode: ModelMode, size: string): Frame | { sizes: string } {
  const resolutions = choicesOf(mode, 'resolution')
  if (resolutions.includes(size)) return { resolution: size }
  const ratios = ratiosOf(mode)
  const [, width, height] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(size)?.map(Number) ?? []
  if (!width || !height) return { sizes: sizesOf(resolutions, ratios) }
  const resolution = resolutions.find(each => sideOf(each) === Math.min(width, height))
  const aspect_ratio = ratios.find(ratio => Math.abs(width / height / shapeOf(ratio) - 1) <= ratioTolerance)
  return resolution && aspect_ratio ? { resolution, aspect_ratio } : { sizes: sizesOf(resolutions, ratios) }
}

/** `1280x720` of 720p at 16:9; undefined where the ratio follows the input. */
export function sizeOf({ resolution, aspect_ratio = '' }: Frame): string | undefined {
  const [side, ratio] = [sideOf(resolution), shapeOf(aspect_ratio)]
  if (!side || !ratio) return undefined
  return ratio >= 1 ? `${even(side * ratio)}x${side}` : `${side}x${even(side / ratio)}`
}

/** Encoders want even sides. */
const even = (pixels: number): number => Math.round(pixels / 2) * 2

const sideOf = (resolution: string): number | undefined =>
  namedSides[resolution] ?? (Number(/^(\d+)p$/.exec(resolution)?.[1] ?? 0) || undefined)

/** NaN where it is no ratio of numbers. */
function shapeOf(ratio: string): number {
  const [, across, down] = /^(\d+):(\d+)$/.exec(ratio) ?? []
  return Number(across) / Number(down)
}

const choicesOf = ({ fields }: ModelMode, name: string): string[] => fields.find(field => field.name === name)?.choices ?? []

const ratiosOf = (mode: ModelMode): string[] => choicesOf(mode, 'aspect_ratio').filter(shapeOf)

/** Where the ratio follows the input, a resolution alone can be asked for. */
function sizesOf(resolutions: string[], ratios: string[]): string {
  const sizes = resolutions.flatMap(resolution => ratios.flatMap(aspect_ratio => sizeOf({ resolution, aspect_ratio }) ?? []))
  return either(sizes.length > 0 ? sizes : resolutions)
}
