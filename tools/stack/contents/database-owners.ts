/** Services with a database. Each has a login role that can open no other database. */
export const databaseOwners = ['gateway', 'ledger', 'dispatcher', 'media-probe', 'console', 'webhooks'] as const
export type DatabaseOwner = (typeof databaseOwners)[number]
