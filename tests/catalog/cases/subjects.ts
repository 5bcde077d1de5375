import { type SpecifiedMode, type SpecifiedModel, specifiedModels } from '../models/specified-models'
import { type Body, parseDuration, type Subject, url, urls } from './case'

/** Every model × mode with a smallest body that it accepts. */
export const subjects: Subject[] = specifiedModels.flatMap(model =>
  Object.entries(model.modes).map(([mode, specified]) => ({ model, mode, specified, base: baseOf(model, mode, specified) })),
)

function baseOf(model: SpecifiedModel, mode: string, specified: SpecifiedMode): Body {
  const base: Body = { model: model.model, mode, prompt: 'A paper boat drifts down a rainy street' }
  for (const field of specified.required) base[field] = url()
  if (mode === 'media-to-video') Object.assign(base, smallestReferences(model, specified))
  return base
}

/** One reference; the motion model needs its image and its video. */
function smallestReferences(model: SpecifiedModel, { references = {} }: SpecifiedMode): Body {
  if (model.model === 'delta-motion-control')
    return { reference_image_urls: urls(1), reference_video_urls: urls(1), reference_video_durations: [5] }
  if (references.images) return { reference_image_urls: urls(1) }
  throw new Error(`${model.model} takes no reference image`)
}

export const durationOf = (subject: Subject) => parseDuration(subject.specified.duration)
