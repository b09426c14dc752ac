/** Every operation in the description, as named in arrivals and fault orders. */
export const operationNames = [
  'messages.send',
  'messages.sendChatOtp',
  'messages.sendBulk',
  'tokens.send',
  'tokens.generate',
  'tokens.call',
  'tokens.email',
  'insight.query',
  'insight.checkDnd',
  'senderIds.list',
  'senderIds.request',
  'phonebooks.contacts',
  'phonebooks.addContact',
  'phonebooks.upload',
  'phonebooks.deleteContact',
  'esims.authenticate',
  'esims.plans',
  'esims.plansDeprecated',
  'esims.create',
  'esims.purchase',
  'esims.qrCode',
  'esims.profile',
  'esims.usage',
  'esims.planStatus',
  'esims.list',
  'esims.countries',
] as const;

/** All operations, including those that aren't in the description. */
export const allOperationNames = [
  ...operationNames,
  'esims.qrImage',
  'beyond.verifyToken',
  'beyond.phonebooks',
  'beyond.balance',
  'beyond.history',
] as const;

export type ProviderOperationName = (typeof allOperationNames)[number];
