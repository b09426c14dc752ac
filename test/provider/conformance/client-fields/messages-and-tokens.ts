import type { ClientFields } from './types.ts';

const pin = {
  pin_type: 'pinType',
  pin_attempts: 'pinAttempts',
  pin_time_to_live: 'pinTimeToLive',
  pin_length: 'pinLength',
};

const sendResult = {
  code: 'raw',
  balance: 'balance',
  message_id: 'messageId',
  message_id_str: 'messageId',
  message: 'message',
  user: 'user',
};

/** The account's own list has sender IDs of other forms. */
const leaves = ['from'];

export const messagesAndTokens = {
  'messages.send': {
    takes: {
      to: 'to',
      from: 'from',
      sms: 'text',
      channel: 'route',
      type: 'type',
      media: 'media',
      'media.url': 'media.url',
      'media.caption': 'media.caption',
    },
    gives: sendResult,
    leaves,
  },
  'messages.sendChatOtp': { takes: { to: 'to', from: 'from', sms: 'code' }, gives: sendResult },
  'messages.sendBulk': {
    takes: { to: 'to', from: 'from', sms: 'text', channel: 'route', type: 'type' },
    gives: sendResult,
    leaves,
  },
  'tokens.send': {
    takes: {
      ...pin,
      to: 'to',
      from: 'from',
      channel: 'route',
      pin_placeholder: 'pinPlaceholder',
      message_text: 'text',
    },
    leaves,
    gives: {
      smsStatus: 'smsStatus',
      phone_number: 'phoneNumber',
      to: 'to',
      pinId: 'pinId',
      pin_id: 'pinId',
      message_id_str: 'messageId',
      status: 'raw',
    },
  },
  'tokens.generate': {
    takes: { ...pin, phone_number: 'phoneNumber' },
    gives: {
      phone_number_other: 'phoneNumberOther',
      phone_number: 'phoneNumber',
      otp: 'otp',
      pin_id: 'pinId',
    },
  },
  'tokens.call': {
    takes: { phone_number: 'phoneNumber', code: 'code' },
    gives: { ...sendResult, pinId: 'pinId' },
  },
  'tokens.email': {
    takes: { email_address: 'emailAddress', code: 'code', email_configuration_id: 'emailConfigurationId' },
    gives: sendResult,
  },
} as const satisfies Readonly<Record<string, ClientFields>>;
