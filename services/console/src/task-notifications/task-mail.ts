import type { TaskView } from '../gateway/gateway'
import type { Mail } from '../mail/queue-mail'
import { failureText } from '../tasks/failure-text'
import { priceText, titleOf } from '../tasks/task-text'
import type { TaskNotification } from './awaited-task-repository'

type TaskMailInput = { notification: Pick<TaskNotification, 'email' | 'name'>; task: TaskView; taskUrl: string; unsubscribeUrl: string }

export function taskMail({ notification, task, taskUrl, unsubscribeUrl }: TaskMailInput): Mail {
  const done = task.status === 'completed'
  return {
    to: notification.email,
    subject: done ? 'Your video is ready' : 'Your video could not be made',
    parts: [
      `Hello ${notification.name},`,
      done
        ? `your video “${titleOf(task)}” is ready.`
        : `your video “${titleOf(task)}” could not be made. ${Object.values(failureText(task)).join(' ')}`.trim(),
      `Model: ${task.model}. Price: ${priceText(task)}.`,
      { label: done ? 'Watch it' : 'See what happened', url: taskUrl },
      { label: 'Stop e-mails about your videos', url: unsubscribeUrl },
    ],
    unsubscribeUrl,
  }
}
