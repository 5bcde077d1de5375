/** How the routes are grouped. */
export const tags = {
  videos: { name: 'videos', description: 'Make videos, follow their tasks and learn prices beforehand.' },
  uploads: { name: 'uploads', description: 'Files of your own as inputs, where you have no host for them.' },
  models: { name: 'models', description: 'What may be asked of each model.' },
  webhooks: { name: 'webhooks', description: 'Be told of events instead of asking.' },
  openai: { name: 'openai', description: 'The same videos in the shapes of OpenAI’s videos API, for programs that speak it.' },
  account: { name: 'account', description: 'The balance and what it was spent on.' },
}
