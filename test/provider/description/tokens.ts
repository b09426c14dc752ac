import { apiKey, digits, phoneNumber, pin, senderId, string } from './fields.ts';
import type { Operation } from './types.ts';

const send: Operation = {
  name: 'tokens.send',
  section: '§4.4',
  does: 'Makes a one-time code and sends it in a text.',
  method: 'POST',
  path: '/api/sms/otp/send',
  idempotent: false,
  request: {
    body: {
      api_key: apiKey,
      ...pin,
      to: { ...phoneNumber, is: 'string', required: true, says: 'the one recipient' },
      from: { ...senderId, is: 'string', required: true, says: 'an approved sender ID' },
      channel: { is: 'string', required: true, enum: ['dnd', 'generic'], example: 'dnd', says: 'the route' },
      pin_placeholder: {
        is: 'string',
        required: true,
        example: '< 1234 >',
        says: 'what the pin takes the place of in the text',
      },
      message_text: {
        is: 'string',
        required: true,
        contains: 'pin_placeholder',
        example: 'Your code is < 1234 >.',
        says: 'the text, with the placeholder in it',
      },
      message_type: {
        is: 'string',
        required: 'not shown',
        enum: ['NUMERIC', 'ALPHANUMERIC'],
        example: 'NUMERIC',
        says: 'in the request’s form only: the same kind of value as pin_type',
      },
    },
  },
  success: { status: '200' },
  response: {
    smsStatus: string,
    phone_number: string,
    to: string,
    pinId: { is: 'string', says: 'what the pin is verified by' },
    pin_id: { is: 'string', says: 'the same as pinId' },
    message_id_str: string,
    status: { is: 'string', enum: ['200'] },
  },
};

const generate: Operation = {
  name: 'tokens.generate',
  section: '§4.5',
  does: 'Makes a one-time code and gives it back, without sending anything.',
  method: 'POST',
  path: '/api/sms/otp/generate',
  idempotent: false,
  request: {
    body: {
      api_key: { ...apiKey, says: 'the account’s live API key' },
      ...pin,
      phone_number: { ...phoneNumber, is: 'string', required: true, says: 'whom the code is for' },
    },
  },
  success: {},
  response: {
    phone_number_other: string,
    phone_number: string,
    otp: { is: 'string', says: 'the code itself' },
    pin_id: string,
  },
};

const call: Operation = {
  name: 'tokens.call',
  section: '§4.6',
  does: 'Reads a one-time code out in a voice call.',
  method: 'POST',
  path: '/api/sms/otp/call',
  otherPath: '/api/sms/otp/send/voice',
  idempotent: false,
  request: {
    body: {
      api_key: apiKey,
      phone_number: { ...phoneNumber, is: 'string', required: true, says: 'whom to call' },
      code: {
        ...digits,
        is: ['string', 'integer'],
        required: true,
        minLength: 4,
        maxLength: 8,
        says: 'the code; it is called numeric, not a number or a string',
      },
    },
  },
  success: { code: 'ok' },
  response: {
    code: { is: 'string', enum: ['ok'] },
    balance: { is: 'number', says: 'what is left on the account' },
    message_id: string,
    pinId: string,
    message: string,
  },
};

const email: Operation = {
  name: 'tokens.email',
  section: '§4.7',
  does: 'Sends a one-time code by e-mail.',
  method: 'POST',
  path: '/api/email/otp/send',
  idempotent: false,
  request: {
    body: {
      api_key: apiKey,
      email_address: {
        is: 'string',
        required: true,
        pattern: /^[^\s@]+@[^\s@]+$/,
        wrong: ['ada.example.com', 'ada@'],
        example: 'ada@example.com',
        says: 'the one recipient',
      },
      code: { is: 'string', required: true, example: '48217', says: 'the code' },
      email_configuration_id: {
        is: 'string',
        required: true,
        example: '5c1e7a90-2d4b-4c8e-9f13-6ab0d7e21f55',
        says: 'a configuration made on the account’s dashboard',
      },
    },
  },
  success: { code: 'ok' },
  response: {
    code: { is: 'string', enum: ['ok'] },
    balance: { is: 'string', says: 'what is left on the account; text here, a number everywhere else' },
    message_id: string,
    message: string,
    user: { is: 'string', says: 'the account holder’s name' },
  },
};

export const tokens: readonly Operation[] = [send, generate, call, email];
