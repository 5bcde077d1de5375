import type { TaskView } from '../gateway/gateway'
import type { Mail } from '../mail/queue-mail'
import { priceWords, titleOf } from '../tasks/task-words'
import type { ToTell } from './awaited-repository'

type Told = { told: Pick<ToTell, 'email' | 'name'>; task: TaskView; taskUrl: string; stopUrl: string }

export function taskMail({ told, task, taskUrl, stopUrl }: Told): Mail {
  const done = task.status === 'completed'
  return {
    to: told.email,
    subject: done ? 'Your video is ready' : 'Your video could not be made',
    parts: [
      `Hello ${told.name},`,
      done
        ? `your video “${titleOf(task)}” is ready.`
        : `your video “${titleOf(task)}” could not be made. ${task.error?.message ?? ''}`.trim(),
      `Model: ${task.model}. Price: ${priceWords(task)}.`,
      { words: done ? 'Watch it' : 'See what happened', url: taskUrl },
      { words: 'Stop e-mails about your videos', url: stopUrl },
    ],
    stopUrl,
  }
}
