import type { Json } from '../../../sandbox/lib/json.ts';

const message = { message_id: '3017500000000000000000001' };
const sim = { id: 4101, iccid: '8923400000000000017', imsi: '621200000000017', state: 'RELEASED' };
const contact = { id: 'd4e5f6', phone_number: '2348030000011', created_at: '2026-03-04 09:30:00' };

const receipts: Readonly<Record<string, Json>> = {
  'messages.send': message,
  'messages.sendChatOtp': { message_id_str: '3017500000000000000000002' },
  'messages.sendBulk': [{ to: '2348030000011', message_id: 3017500000000001 }],
  'tokens.send': { pinId: '95c6083c-c277-46ac-a93d-3526b70ba285' },
  'tokens.generate': { otp: '482913' },
  'tokens.call': { code: 'ok' },
  'tokens.email': message,
  'senderIds.request': { code: 'ok' },
  'phonebooks.addContact': { 'Contact added successfully': contact },
  'phonebooks.upload': {
    message: 'Your list is being uploaded in the background. It may take a couple of minutes.',
  },
  'phonebooks.deleteContact': { status: 'success', message: 'Contact deleted successfully' },
  'esims.create': { sim },
  'esims.purchase': { status: 'Success', sim },
};

/** The receipt that the provider returns for an operation. A read gets that of a message. */
export function receiptOf(operation: string): Json {
  return receipts[operation] ?? message;
}
