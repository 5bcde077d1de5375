import type { Knob, Place } from './knob-table'

export type Tree = { [key: string]: Tree | undefined }
export type RenderedObject = { kind: string; metadata: Tree & { name: string }; spec?: Tree }
type Pod = { metadata: Tree; spec: Tree & { containers: Tree[] } }

/** What a path with dots leads to. */
export const at = (tree: unknown, path: string): unknown =>
  path === '' ? tree : path.split('.').reduce<unknown>((found, key) => (found as Tree | undefined)?.[key], tree)

/** Whether `actual` has all of `wanted`: null and undefined stand for absence, and a list holds each wanted element somewhere. */
export function holds(actual: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return actual === undefined || actual === null
  if (Array.isArray(wanted)) return Array.isArray(actual) && wanted.every(one => actual.some(other => holds(other, one)))
  if (typeof wanted !== 'object') return actual === wanted
  if (typeof actual !== 'object' || actual === null) return false
  return Object.entries(wanted).every(([key, value]) => holds((actual as Tree)[key], value))
}

/** The values that don't show where they should, as `value: object`. */
export function findMissing(knobs: Knob[], values: unknown, objects: RenderedObject[], server: string): string[] {
  return knobs.flatMap(({ value, place, at: path, form = given => given }) => {
    const given = at(values, value)
    if (given === undefined) return [`${value}: no values file sets it`]
    const places = placesOf(place, objects, server)
    if (places.length === 0) return [`${value}: there is no ${place}`]
    return places.filter(([, where]) => !holds(at(where, path), form(given))).map(([name]) => `${value}: ${place} of ${name}`)
  })
}

function placesOf(place: Place, objects: RenderedObject[], server: string): [name: string, where: unknown][] {
  const pods = objects.flatMap(object => {
    const pod = podOf(object)
    return pod ? [[`${object.kind}/${object.metadata.name}`, pod] as const] : []
  })
  const servers = pods.filter(([name]) => name === `Deployment/${server}`)
  const nameOf = ({ kind, metadata }: RenderedObject) => `${kind}/${metadata.name}`
  switch (place) {
    case 'pods':
    case 'server':
      return (place === 'pods' ? pods : servers).map(([name, { spec }]) => [name, spec])
    case 'pod metadata':
      return pods.map(([name, { metadata }]) => [name, metadata])
    case 'containers':
    case 'server container':
      return (place === 'containers' ? pods : servers).map(([name, { spec }]) => [name, spec.containers[0]])
    case 'all':
      return objects.map(object => [nameOf(object), object.metadata])
    case 'policies':
      return objects.filter(({ kind }) => kind === 'NetworkPolicy').map(object => [nameOf(object), object])
    case 'server policy':
      return objects.filter(object => nameOf(object) === `NetworkPolicy/${server}`).map(object => [nameOf(object), object])
    case 'ConfigMap':
      return objects.filter(object => nameOf(object) === `ConfigMap/${server}`).map(object => [nameOf(object), object])
    default:
      return objects.filter(({ kind }) => kind === place).map(object => [nameOf(object), object])
  }
}

/** The pods that an object makes, if it makes any. */
export function podOf({ kind, metadata, spec }: RenderedObject): Pod | undefined {
  if (kind === 'Pod') return { metadata, spec } as unknown as Pod
  return (at(spec, 'template') ?? at(spec, 'jobTemplate.spec.template')) as Pod | undefined
}
