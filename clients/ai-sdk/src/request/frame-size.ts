/** The shorter side of a resolution that doesn't name it, in pixels. */
const namedSides: Record<string, number> = { hd: 720, fhd: 1080, '2k': 1440, '4k': 2160 }
/** 854x480 and 1366x768 are 16:9 as far as whole pixels go. */
const ratioTolerance = 0.005

/** `exact` is false where the model has no resolution of that side, and the nearest one was taken. */
export type Resolution = { name: string; exact: boolean }

/** The model's resolution whose shorter side is that of `1280x720`, or the nearest; of two as near, the smaller one. */
export function resolutionOf(size: string, choices: string[]): Resolution | undefined {
  if (choices.includes(size)) return { name: size, exact: true }
  const asked = Math.min(...sidesOf(size))
  if (!Number.isFinite(asked)) return undefined
  const sized = choices.flatMap(name => ({ name, side: sideOf(name) })).filter(({ side }) => side > 0)
  const distance = (side: number) => Math.abs(Math.log(side / asked))
  const [nearest] = sized.toSorted((a, b) => distance(a.side) - distance(b.side) || a.side - b.side)
  return nearest && { name: nearest.name, exact: nearest.side === asked }
}

/** The model's ratio that `1280x720` has. */
export function ratioOf(size: string, choices: string[]): string | undefined {
  const [width, height] = sidesOf(size)
  return choices.find(choice => Math.abs(width / height / shapeOf(choice) - 1) <= ratioTolerance)
}

function sidesOf(size: string): [number, number] {
  const [, width, height] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(size) ?? []
  return [Number(width), Number(height)]
}

const sideOf = (resolution: string): number => namedSides[resolution] ?? Number(/^(\d+)p$/.exec(resolution)?.[1] ?? 0)

/** NaN where it is no ratio of numbers. */
function shapeOf(ratio: string): number {
  const [, across, down] = /^(\d+):(\d+)$/.exec(ratio) ?? []
  return Number(across) / Number(down)
}
