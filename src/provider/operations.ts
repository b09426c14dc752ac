/**
 * What an operation does at the provider: `read` is harmless when repeated; `send` is a message or a phone call that
 * must not go out twice; `change` must not be made twice.
 */
export type OperationEffect = 'read' | 'send' | 'change';

interface OperationInfo {
  /** Names the operation within a sentence. */
  readonly noun: string;
  readonly effect: OperationEffect;
}

/** The 26 operations that the API documents, by resource and verb. */
export const describedOperations = {
  'messages.send': { noun: 'the message', effect: 'send' },
  'messages.sendChatOtp': { noun: 'the code by chat', effect: 'send' },
  'messages.sendBulk': { noun: 'the bulk message', effect: 'send' },
  'tokens.send': { noun: 'the one-time code', effect: 'send' },
  'tokens.generate': { noun: 'the request for a one-time code', effect: 'change' },
  'tokens.call': { noun: 'the code by voice call', effect: 'send' },
  'tokens.email': { noun: 'the code by email', effect: 'send' },
  'insight.query': { noun: 'the request for the number’s status', effect: 'read' },
  'insight.checkDnd': { noun: 'the Do-Not-Disturb check', effect: 'read' },
  'senderIds.list': { noun: 'the request for sender IDs', effect: 'read' },
  'senderIds.request': { noun: 'the request for a new sender ID', effect: 'change' },
  'phonebooks.contacts': { noun: 'the request for contacts', effect: 'read' },
  'phonebooks.addContact': { noun: 'the request to add a contact', effect: 'change' },
  'phonebooks.upload': { noun: 'the upload of contacts', effect: 'change' },
  'phonebooks.deleteContact': { noun: 'the request to delete the contact', effect: 'change' },
  'esims.authenticate': { noun: 'the request for an eSIM token', effect: 'read' },
  'esims.plans': { noun: 'the request for data plans', effect: 'read' },
  'esims.plansDeprecated': { noun: 'the request for data plans', effect: 'read' },
  'esims.create': { noun: 'the request to create an eSIM', effect: 'change' },
  'esims.purchase': { noun: 'the purchase of the data plan', effect: 'change' },
  'esims.qrCode': { noun: 'the request for the QR code', effect: 'read' },
  'esims.profile': { noun: 'the request for the eSIM’s profile', effect: 'read' },
  'esims.usage': { noun: 'the request for the eSIM’s data usage', effect: 'read' },
  'esims.planStatus': { noun: 'the request for the data plan’s status', effect: 'read' },
  'esims.list': { noun: 'the request for eSIMs', effect: 'read' },
  'esims.countries': { noun: 'the request for countries', effect: 'read' },
} as const satisfies Readonly<Record<string, OperationInfo>>;

export type DescribedOperationName = keyof typeof describedOperations;

/**
 * Operations beyond the description: public pages of such a provider show them. Each is off unless the dialect names its
 * path.
 */
export const operationsBeyond = {
  'balance.get': { noun: 'the request for the balance', effect: 'read' },
  'messages.history': { noun: 'the check of the delivery status', effect: 'read' },
  'phonebooks.list': { noun: 'the request for the phonebooks', effect: 'read' },
  // A repetition would use up an attempt, and a code matches once.
  'tokens.verify': { noun: 'the check of the one-time code', effect: 'change' },
} as const satisfies Readonly<Record<string, OperationInfo>>;

export type OperationName = DescribedOperationName | keyof typeof operationsBeyond;

export const operationInfo: Readonly<Record<OperationName, OperationInfo>> = {
  ...describedOperations,
  ...operationsBeyond,
};
