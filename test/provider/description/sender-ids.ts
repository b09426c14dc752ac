import { apiKey, pagingBeyond, senderId } from './fields.ts';
import { page, senderIdRecord } from './records.ts';
import type { Operation } from './types.ts';

const list: Operation = {
  name: 'senderIds.list',
  section: '§4.10',
  does: 'Lists the account’s sender IDs.',
  method: 'GET',
  path: '/api/sender-id',
  idempotent: true,
  request: {
    query: {
      api_key: apiKey,
      name: { is: 'string', required: false, example: 'Palm', says: 'only those of this name' },
      status: { is: 'string', required: false, example: 'pending', says: 'only those of this status' },
      ...pagingBeyond,
    },
  },
  success: {},
  response: page(senderIdRecord),
};

const request: Operation = {
  name: 'senderIds.request',
  section: '§4.11',
  does: 'Asks the provider’s administrators to approve a new sender ID.',
  method: 'POST',
  path: '/api/sender-id/request',
  idempotent: false,
  request: {
    body: {
      api_key: apiKey,
      sender_id: { ...senderId, example: 'PalmNews', is: 'string', required: true, says: 'the sender ID' },
      use_case: {
        is: 'string',
        required: true,
        example: 'Your basket is packed and waits for you.',
        says: 'a sample of what will be sent under it; listings spell this usecase',
      },
      company: { is: 'string', required: true, example: 'Palm Market Ltd', says: 'the company’s name' },
    },
  },
  success: { code: 'ok' },
  response: {
    code: { is: 'string', enum: ['ok'] },
    message: { is: 'string', says: 'that the request is on its way' },
  },
};

export const senderIds: readonly Operation[] = [list, request];
