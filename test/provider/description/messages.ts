import { apiKey, phoneNumber, senderId } from './fields.ts';
import { sendResult } from './records.ts';
import type { Operation, RequestField } from './types.ts';

const type: RequestField = {
  is: 'string',
  required: true,
  enum: ['plain', 'encrypted', 'voice'],
  undescribed: ['encrypted'],
  needs: { voice: { channel: 'voice' } },
  example: 'plain',
  says: 'how the text is written; text outside the plain alphabet has a type of its own, whose name is not shown',
};

const to: RequestField = {
  ...phoneNumber,
  is: ['string', 'strings'],
  required: true,
  maxItems: 100,
  says: 'one recipient, or a list of recipients',
};

const from: RequestField = {
  ...senderId,
  is: 'string',
  required: true,
  unless: { channel: 'chatapp' },
  says: 'a sender ID; on the chat application a device’s name, of any form',
};

const send: Operation = {
  name: 'messages.send',
  section: '§4.1',
  does: 'Sends one text, or on the chat application a file, to one or many recipients.',
  method: 'POST',
  path: '/api/sms/send',
  idempotent: false,
  request: {
    body: {
      api_key: apiKey,
      to,
      from,
      sms: {
        is: 'string',
        required: true,
        notWith: 'media',
        example: 'Your order is on its way.',
        says: 'the text',
      },
      channel: {
        is: 'string',
        required: true,
        enum: ['dnd', 'generic', 'chatapp', 'voice'],
        example: 'dnd',
        says: 'the route',
      },
      type,
      media: {
        is: 'object',
        required: false,
        onlyWith: { channel: 'chatapp' },
        example: {},
        says: 'a file in place of the text',
      },
      'media.url': {
        is: 'string',
        required: false,
        formats: ['JPG', 'JPEG', 'PNG', 'MP3', 'OGG', 'AMR', 'PDF', 'MP4'],
        example: 'https://files.example.com/offer.png',
        says: 'where the file is; a video needs sound',
      },
      'media.caption': {
        is: 'string',
        required: false,
        example: 'This weekend only',
        says: 'what stands under it',
      },
    },
  },
  success: { code: 'ok' },
  response: sendResult,
};

const sendChatOtp: Operation = {
  name: 'messages.sendChatOtp',
  section: '§4.2',
  does: 'Sends a one-time code over the chat application, on accounts for which the provider has activated it.',
  method: 'POST',
  path: '/api/sms/send',
  idempotent: false,
  request: {
    body: {
      api_key: apiKey,
      to,
      // §4.2 refers to §4.1, where the chat application takes a device’s name, of any form.
      from: { is: 'string', required: true, example: 'Front desk, 2nd phone', says: 'a device’s name' },
      sms: {
        is: 'string',
        required: true,
        pattern: /^\d+$/,
        wrong: ['48a21', '48 21', 'Code 48217'],
        minLength: 4,
        maxLength: 6,
        example: '48217',
        says: 'the code',
      },
      channel: {
        is: 'string',
        required: true,
        enum: ['chatapp_otp'],
        example: 'chatapp_otp',
        says: 'the chat application’s channel for one-time codes',
      },
      type,
    },
  },
  success: { code: 'ok' },
  response: sendResult,
};

const sendBulk: Operation = {
  name: 'messages.sendBulk',
  section: '§4.3',
  does: 'Sends one text to many recipients.',
  method: 'POST',
  path: '/api/sms/send/bulk',
  idempotent: false,
  request: {
    body: {
      api_key: apiKey,
      to: {
        ...phoneNumber,
        is: 'strings',
        required: true,
        maxItems: 100,
        example: ['2348030000011', '2348020000012'],
        says: 'the recipients',
      },
      from: {
        is: 'string',
        required: true,
        pattern: /^[A-Za-z0-9]{3,11}$/,
        wrong: [...senderId.wrong, '234803000001'],
        example: senderId.example,
        says: 'a sender ID of letters and digits',
      },
      sms: { is: 'string', required: true, example: 'The market opens at nine.', says: 'the text' },
      channel: {
        is: 'string',
        required: true,
        enum: ['dnd', 'generic'],
        example: 'generic',
        says: 'the route',
      },
      type: {
        is: 'string',
        required: true,
        enum: ['plain', 'encrypted'],
        undescribed: ['encrypted'],
        example: 'plain',
        says: 'how the text is written, as in §4.1',
      },
    },
  },
  success: { code: 'ok' },
  response: sendResult,
};

export const messages: readonly Operation[] = [send, sendChatOtp, sendBulk];
