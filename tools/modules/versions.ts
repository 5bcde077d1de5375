type Version = { numbers: [number, number, number]; pre: string }

const form = /^v(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/

function read(version: string): Version | undefined {
  const [, major, minor, patch, pre = ''] = form.exec(version) ?? []
  return major === undefined ? undefined : { numbers: [Number(major), Number(minor), Number(patch)], pre }
}

/** The nearest served release: of the same minor if possible, and the newer one of two equally near. */
export function nearestVersion(wanted: string, served: string[]): string | undefined {
  const target = read(wanted)
  if (!target) return served.at(-1)
  const distanceOf = (version: string) => {
    const { numbers } = read(version) ?? target
    const [major, minor, patch] = numbers.map((number, place) => Math.abs(number - (target.numbers[place] ?? 0)))
    return [major ?? 0, minor ?? 0, major || minor ? -numbers[2] : (patch ?? 0)]
  }
  const byNearness = (a: string, b: string) => {
    const [fromA, fromB] = [distanceOf(a), distanceOf(b)]
    const place = fromA.findIndex((distance, at) => distance !== fromB[at])
    return place < 0 ? byAge(b, a) : (fromA[place] ?? 0) - (fromB[place] ?? 0)
  }
  return releases(served).sort(byNearness)[0]
}

/** The newest patch of the same minor that is served for all members. */
export function newestCommonPatch(members: { version: string; served: string[] }[]): number | undefined {
  const patches = members.map(({ version, served }) => {
    const [major, minor] = read(version)?.numbers ?? []
    const same = releases(served).filter(one => read(one)?.numbers[0] === major && read(one)?.numbers[1] === minor)
    return new Set(same.map(one => read(one)?.numbers[2] ?? -1))
  })
  return [...(patches[0] ?? [])].filter(patch => patches.every(of => of.has(patch))).sort((a, b) => b - a)[0]
}

export const withPatch = (version: string, patch: number): string => version.replace(/\d+$/, String(patch))

const releases = (versions: string[]): string[] => versions.filter(version => read(version)?.pre === '')

function byAge(a: string, b: string): number {
  const [left, right] = [read(a)?.numbers ?? [], read(b)?.numbers ?? []]
  const place = left.findIndex((number, at) => number !== right[at])
  return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0)
}
