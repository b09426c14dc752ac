import { type ClientFields, page } from './types.ts';

export const senderIds = {
  'senderIds.list': {
    takes: { name: 'name', status: 'status', page: 'page', size: 'size' },
    gives: page('', '', {
      sender_id: 'senderId',
      status: 'status',
      country: 'country',
      createdAt: 'createdAt',
      company: 'company',
      usecase: 'useCase',
    }),
  },
  'senderIds.request': {
    takes: { sender_id: 'senderId', use_case: 'useCase', company: 'company' },
    gives: { code: 'raw', message: 'message' },
  },
} as const satisfies Readonly<Record<string, ClientFields>>;
