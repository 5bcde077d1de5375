import { Filmgate, isCode } from '@filmgate/client'

const filmgate = new Filmgate()
const task = await filmgate.create({{ts}}, { cancelAfterSeconds: 600 })
try {
  const { status, error } = await filmgate.tasks.cancel(task.id)
  console.log(status, error?.code ?? 'the provider has been asked')
} catch (error) {
  if (!isCode(error, 'not_cancellable')) throw error
  console.log(`It goes on: ${error.details.reason}`)
}
