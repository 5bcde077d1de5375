/** How the routes are grouped. */
export const tags = {
  videos: { name: 'videos', description: 'Make videos, follow their tasks and learn prices beforehand.' },
  uploads: { name: 'uploads', description: 'Files of your own as inputs, where you have no host for them.' },
  models: { name: 'models', description: 'What may be asked of each model.' },
  webhooks: { name: 'webhooks', description: 'Be told of events instead of asking.' },
  account: { name: 'account', description: 'The balance and what it was spent on.' },
}
