import type { CompiledModel } from '../../catalog/compile-card'
import type { GenerationRequest } from '../../catalog/request'
import { openAiModelView } from '../../openai/model-view'
import { sizeOf } from '../../openai/request/sizes'
import { taskIdExample } from './error-examples'

/** What the routes of OpenAI's API answer with. */
export function openAiExamples(
  ofModel: CompiledModel,
  { model, prompt, duration, resolution, aspect_ratio }: GenerationRequest,
  credits: number,
) {
  const video = {
    id: taskIdExample,
    object: 'video',
    status: 'completed',
    progress: 100,
    model,
    prompt,
    seconds: String(duration),
    size: sizeOf({ resolution, ...(aspect_ratio && { aspect_ratio }) }) ?? null,
    created_at: 1_795_426_200,
    completed_at: 1_795_426_272,
    expires_at: null,
    remixed_from_video_id: null,
    error: null,
    credits_used: credits,
    credits_refunded: 0,
  }
  return {
    video,
    videos: { object: 'list', data: [video], first_id: taskIdExample, last_id: taskIdExample, has_more: false },
    videoDeleted: { id: taskIdExample, object: 'video.deleted', deleted: true },
    openAiModels: { object: 'list', data: [openAiModelView(ofModel)] },
    openAiModel: openAiModelView(ofModel),
  }
}
