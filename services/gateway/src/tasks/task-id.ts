import { taskIdOf } from '@filmgate/proto/task-id'
import { uuidv7obj } from 'uuidv7'

export const newTaskId = (): string => taskIdOf(BigInt(`0x${uuidv7obj().toHex()}`))

/** The form of a task id in the contract; an id of this form that is not ours is not found. */
export const taskIdForm = /^[A-Za-z0-9_-]{1,120}$/
